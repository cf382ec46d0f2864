import io
import unittest

from gridtext import Table, TableError
from gridtext.__main__ import main


def fruit(**options):
    table = Table(["fruit", "price"], align="lr", **options)
    table.add_rows([["apple", 1.5], ["cherry", 12]])
    return table


class RenderTest(unittest.TestCase):
    def test_ascii(self):
        self.assertEqual(
            fruit().render().splitlines(),
            [
                "+--------+-------+",
                "| fruit  | price |",
                "+--------+-------+",
                "| apple  |   1.5 |",
                "| cherry |    12 |",
                "+--------+-------+",
            ],
        )

    def test_plain(self):
        self.assertEqual(fruit(style="plain").render(), "fruit  price\napple    1.5\ncherry    12")

    def test_no_header(self):
        self.assertEqual(fruit(style="simple").render(header=False), "apple     1.5\ncherry     12")

    def test_max_width_of_column(self):
        table = fruit(style="plain")
        table.column("fruit").max_width = 5
        self.assertEqual(table.render().splitlines()[2:], ["cherr    12", "y"])

    def test_max_width_of_table(self):
        table = Table(["a", "b"], max_width=12, style="plain")
        table.add_row(["some words here", "x"])
        self.assertLessEqual(max(len(line) for line in table.render().splitlines()), 12)

    def test_invisible(self):
        table = fruit(style="plain")
        table.column("price").visible = False
        self.assertEqual(table.render(), "fruit\napple\ncherry")

    def test_row_lines(self):
        self.assertEqual(fruit(row_lines=True).render().count("+--------+"), 4)

    def test_unknown_style(self):
        with self.assertRaises(ValueError):
            fruit(style="fancy")


class RowsTest(unittest.TestCase):
    def test_wrong_length(self):
        with self.assertRaises(TableError):
            fruit().add_row([1])

    def test_sort(self):
        table = fruit()
        table.add_row(["banana", None])
        table.sort_by("price", reverse=True)
        self.assertEqual(table.values("fruit"), ["cherry", "apple", "banana"])

    def test_totals(self):
        table = fruit()
        table.add_totals()
        self.assertEqual(table.footers, [["Total", 13.5]])

    def test_filtered(self):
        self.assertEqual(fruit().filtered(lambda row: row["price"] > 2).values(0), ["cherry"])

    def test_add_column(self):
        table = fruit()
        table.add_column("stock", [3], align="r")
        self.assertEqual(table.values("stock"), [3, None])

    def test_command_line(self):
        out = io.StringIO()
        self.assertEqual(main(["--style", "plain"], io.StringIO("a,b\n1,2\n"), out), 0)
        self.assertEqual(out.getvalue(), "a b\n1 2\n")
        self.assertEqual(main([], io.StringIO(""), out), 1)


if __name__ == "__main__":
    unittest.main()
