import { load } from "cheerio";
import { expect, test } from "vitest";
import { DataTable } from "~/components/lists/data-table";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { pageNumbers, Pagination } from "~/components/lists/pagination";
import { RowActions } from "~/components/lists/row-actions";
import { rangeText } from "~/components/lists/table-range";
import { WizardSteps } from "~/components/purchase/wizard-frame";
import { select, textsOf } from "../support/page";
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
    select={{ type: "radio", name: "id", label: (row) => `Select ${row.name}`, selected: ["2"], query: "" }}
  />
);

test("a table sorts by links, marks the sorted column, and labels its cells and choices", async () => {
  const { html } = await visit({ view: table(rows) });
  expect(select(html, "[aria-sort]")).toHaveLength(1);
  const sorted = 'th[scope="col"][role="columnheader"][aria-sort="ascending"]';
  expect(select(html, `${sorted} > a[href="/page?sort=name.desc"]`)).toHaveLength(1);
  expect(textsOf(html, 'a[href="/page?sort=id.asc"]')).toEqual(["ID"]);
  const id = 'td.short[data-l="ID"][role="cell"]';
  expect(textsOf(html, id)).toEqual(["1", "2"]);
  expect(textsOf(html, `${id} + th[scope="row"][role="rowheader"]`)).toEqual(["edi.example", "as2.example"]);
  const chosen = select(html, 'input[type="radio"][name="id"]:checked');
  expect([chosen.attr("aria-label"), chosen.val()]).toEqual(["Select as2.example", "2"]);
});

test("a row that is named by a number or a code says so and gets a narrow column for it", async () => {
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
  expect(textsOf(html, 'th.short[scope="row"][role="rowheader"]')).toEqual(["SO-1"]);
});

test("numbers, order numbers and dates stay on one line, longer texts may wrap", async () => {
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
  const cellsShown = load(html)("td").toArray();
  expect(cellsShown.map(({ attribs }) => attribs.class)).toEqual(["short", "short", "short", "long"]);
});

test("an empty table says 'No records found'", async () => {
  const { html } = await visit({ view: table([]) });
  expect(textsOf(html, 'td[role="cell"][colspan="2"]')).toEqual(["No records found"]);
});

test("[GEN-04] a list can be searched, resized and used without scripts", async () => {
  const { html } = await visit({
    view: () => (
      <>
        <ListToolbar search="edi" size={25} keep={new URLSearchParams({ sort: "name.asc" })} />
        <RowActions formId="list" name="id" actions={[{ intent: "renew", label: "Renew" }]} />
      </>
    ),
  });
  expect(select(html, 'form[method="get"][role="search"]')).toHaveLength(1);
  expect(select(html, 'input[type="hidden"][name="sort"]').val()).toBe("name.asc");
  expect(textsOf(html, 'form[role="search"] option:checked')).toEqual(["25"]);
  expect(textsOf(html, 'button.btn[type="submit"][name="intent"][value="renew"]')).toEqual(["Renew"]);
});

test("pagination shows nothing for one page, gaps between distant pages, and the rows in words", async () => {
  const only = await visit({ view: () => <Pagination page={1} pages={1} href={String} label="Pages" /> });
  expect(select(only.html, "nav.pager")).toHaveLength(0);
  expect(pageNumbers(5, 9)).toEqual([1, null, 4, 5, 6, null, 9]);
  expect(pageNumbers(1, 2)).toEqual([1, 2]);
  expect(rangeText({ page: 4, size: 10, total: 37 })).toBe("31 to 37 of 37");
  expect(rangeText({ page: 1, size: 10, total: 0 })).toBe("0 rows");
  expect(rangeText({ page: 2, size: 10, total: 10_000, hasMore: true })).toBe("11 to 20 of more than 10000");
  const counted = await visit({ view: () => <Pagination page={3} pages={9} href={String} /> });
  const more = await visit({ view: () => <Pagination page={3} pages={9} hasMore href={String} /> });
  expect([counted, more].map(({ html }) => select(html, 'nav.pager span:contains("…")').length)).toEqual([1, 2]);
});

test("a wizard marks the current step and links only finished ones", async () => {
  const steps = ["Contact details", "Order", "Order complete"].map((label, index) => ({ label, to: `/step-${index}` }));
  const { html } = await visit({ view: () => <WizardSteps steps={steps} current={1} /> });
  expect(textsOf(html, 'a[href="/step-0"]')).toEqual(["Contact details"]);
  expect(textsOf(html, 'li[aria-current="step"]')).toEqual(["Order"]);
  expect(select(html, 'a[href="/step-2"]')).toHaveLength(0);
});
