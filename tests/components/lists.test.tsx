import { expect, test } from "vitest";
import { DataTable } from "~/components/data-table";
import { ListToolbar } from "~/components/list-toolbar";
import { pageNumbers, Pagination } from "~/components/pagination";
import { RowActions } from "~/components/row-actions";
import { rangeText } from "~/components/table-range";
import { WizardSteps } from "~/components/wizard-steps";
import { visit } from "./portal";

const rows = [
  { id: 1, name: "edi.example" },
  { id: 2, name: "as2.example" },
];

const table = (shown: typeof rows) => () => (
  <DataTable
    caption="Your certificates"
    columns={[
      { key: "id", label: "ID", sortable: true, cell: (row) => row.id },
      { key: "name", label: "Common name", sortable: true, rowHeader: true, cell: (row) => row.name },
    ]}
    rows={shown}
    rowKey={(row) => row.id}
    sort={{ key: "name", direction: "asc", href: (key, direction) => `?sort=${key}.${direction}` }}
    select={{ type: "radio", name: "id", label: (row) => `Select ${row.name}`, selected: ["2"], place: "" }}
  />
);

test("a table sorts by links, marks one column as sorted, and labels its cells and choices", async () => {
  const { html } = await visit({ view: table(rows) });
  expect(html.match(/aria-sort/g)).toHaveLength(1);
  expect(html).toMatch(
    /<th scope="col" role="columnheader" aria-sort="ascending"><a [^>]*href="\/page\?sort=name.desc"/,
  );
  expect(html).toContain('href="/page?sort=id.asc"');
  expect(html).toContain(
    '<td class="short" data-l="ID" role="cell">1</td><th scope="row" role="rowheader">edi.example</th>',
  );
  expect(html).toMatch(
    /<input type="radio" name="id" aria-label="Select as2.example" (checked="" )?value="2"( checked="")?/,
  );
});

test("a row that is named by a number or a code says so, and gets a narrow column for it", async () => {
  const { html } = await visit({
    view: () => (
      <DataTable
        caption="Orders"
        columns={[
          { key: "number", label: "Number", rowHeader: "short", cell: (row) => <a href="/page">SO-{row.id}</a> },
        ]}
        rows={rows.slice(0, 1)}
        rowKey={(row) => row.id}
      />
    ),
  });
  expect(html).toContain('<th scope="row" role="rowheader" class="short">');
});

test("numbers, order numbers and dates stay on one line, longer texts may break", async () => {
  const cells = [10466, "SO-1008", "21/11/2026", "Example Parts Gesellschaft"];
  const { html } = await visit({
    view: () => (
      <DataTable
        caption="Orders"
        columns={cells.map((cell, index) => ({ key: String(index), label: String(index), cell: () => cell }))}
        rows={rows.slice(0, 1)}
        rowKey={(row) => row.id}
      />
    ),
  });
  expect([...html.matchAll(/<td class="(\w+)"/g)].map(([, name]) => name)).toEqual(["short", "short", "short", "long"]);
});

test("an empty table says 'No records found'", async () => {
  expect((await visit({ view: table([]) })).html).toContain('<td role="cell" colSpan="3">No records found</td>');
});

test("[GEN-04] without scripts a list can be searched, sized and acted on", async () => {
  const { html } = await visit({
    view: () => (
      <>
        <ListToolbar search="edi" size={25} keep={{ sort: "name.asc" }} />
        <RowActions formId="list" name="id" actions={[{ intent: "renew", label: "Renew" }]} />
      </>
    ),
  });
  expect(html).toMatch(/<form method="get"[^>]*role="search"/);
  expect(html).toContain('<input type="hidden" name="sort" value="name.asc"/>');
  expect(html).toContain('<option selected="">25</option>');
  expect(html).toContain('<button name="intent" value="renew" type="submit" class="btn">Renew</button>');
});

test("pages: none for one page, gaps between far ones, the rows in words", async () => {
  const only = await visit({ view: () => <Pagination page={1} pages={1} href={String} label="Pages" /> });
  expect(only.html).not.toContain("pager");
  expect(pageNumbers(5, 9)).toEqual([1, null, 4, 5, 6, null, 9]);
  expect(pageNumbers(1, 2)).toEqual([1, 2]);
  expect(rangeText({ page: 4, size: 10, total: 37 })).toBe("31 to 37 of 37");
  expect(rangeText({ page: 1, size: 10, total: 0 })).toBe("0 rows");
  expect(rangeText({ page: 2, size: 10, total: 10_000, hasMore: true })).toBe("11 to 20 of more than 10000");
  const counted = await visit({ view: () => <Pagination page={3} pages={9} href={String} /> });
  const more = await visit({ view: () => <Pagination page={3} pages={9} hasMore href={String} /> });
  expect([counted, more].map(({ html }) => html.match(/…/g)?.length)).toEqual([1, 2]);
});

test("a wizard marks its step and links only finished ones", async () => {
  const steps = ["Contact details", "Order", "Order complete"].map((label, index) => ({ label, to: `/step-${index}` }));
  const { html } = await visit({ view: () => <WizardSteps steps={steps} current={1} /> });
  expect(html).toContain('href="/step-0">Contact details</a>');
  expect(html).toContain('<li aria-current="step"><span>Order</span></li>');
  expect(html).not.toContain('href="/step-2"');
});
