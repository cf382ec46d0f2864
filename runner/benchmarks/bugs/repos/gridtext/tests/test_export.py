import unittest

from gridtext import Table, from_csv, from_markdown, from_records, to_csv, to_html, to_json, to_latex, to_markdown, to_rst


def sample():
    table = Table(["name", "n"], align="lr")
    table.add_rows([["a|b", 1], ["<c>", None]])
    return table


class ExportTest(unittest.TestCase):
    def test_markdown(self):
        self.assertEqual(
            to_markdown(sample()).splitlines(),
            ["| name | n   |", "| ---- | --: |", "| a\\|b | 1   |", "| <c>  |     |"],
        )

    def test_html(self):
        text = to_html(sample(), css_class="x")
        self.assertIn('<table class="x">', text)
        self.assertIn("<td>&lt;c&gt;</td>", text)
        self.assertIn('<th style="text-align: right">n</th>', text)
        self.assertNotIn("<tfoot>", text)

    def test_csv(self):
        self.assertEqual(to_csv(sample()), "name,n\na|b,1\n<c>,\n")

    def test_latex(self):
        lines = to_latex(sample(), label="tab:x").splitlines()
        self.assertEqual(lines[2], r"\begin{tabular}{lr}")
        self.assertIn(r"a|b & 1 \\", lines)
        self.assertIn(r"\label{tab:x}", lines)

    def test_rst(self):
        self.assertEqual(to_rst(sample()).splitlines(), ["====  =", "name  n", "====  =", "a|b   1", "<c>", "====  ="])

    def test_json(self):
        self.assertEqual(to_json(sample()), '[{"name": "a|b", "n": 1}, {"name": "<c>", "n": null}]')


class ReaderTest(unittest.TestCase):
    def test_csv(self):
        table = from_csv("name,n\nx,1\ny,2.5\n,\n")
        self.assertEqual(table.rows, [["x", 1], ["y", 2.5], [None, None]])
        self.assertEqual([column.align for column in table.columns], ["l", "r"])

    def test_markdown(self):
        table = from_markdown(to_markdown(sample()))
        self.assertEqual(table.rows, [["a|b", 1], ["<c>", None]])

    def test_records(self):
        table = from_records([{"a": 1}, {"b": 2, "a": 3}])
        self.assertEqual(table.rows, [[1, None], [3, 2]])


if __name__ == "__main__":
    unittest.main()
