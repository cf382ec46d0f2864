import unittest

from gridtext import Table, to_csv, to_html, to_markdown


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


if __name__ == "__main__":
    unittest.main()
