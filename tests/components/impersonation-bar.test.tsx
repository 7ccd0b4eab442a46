import { expect, test } from "vitest";
import { notFound } from "~/lib/errors";
import { errorResponse } from "~/http/responses.server";
import { anna, visit } from "./portal";

const view = () => <h1>Content</h1>;
const user = { ...anna, impersonator: { name: "Olga Admin" } };

const barOf = (html: string) => /<section class="acting".*?<\/section>/.exec(html)?.[0];
const textOf = (html = "") => html.replace(/<[^>]+>/g, "");

test("[LOG-09] a bar on every page says who acts as whom, with a way back that needs no scripts", async () => {
  const { html } = await visit({ view, shell: { user } });
  const bar = barOf(html);
  expect(textOf(bar)).toContain("Olga Admin is acting as Anna Müller (Example Parts Ltd)");
  expect(bar).toMatch(/<form method="post" action="\/end-login-as-user"/);
  expect(bar).toContain('<input type="hidden" name="csrf" value="csrf-token"/>');
  expect(bar).toMatch(/<button type="submit"[^>]*>Back to my own account<\/button>/);
  expect(html.indexOf('class="acting"')).toBeLessThan(html.indexOf("<header"));
});

test("[LOG-09] the bar is on error pages and where details are missing too", async () => {
  const missing = await visit({ view, shell: { user: { ...user, headerDisabled: true } } });
  const unknown = await visit({
    view,
    shell: { user },
    loader: () => {
      throw errorResponse(notFound());
    },
  });
  for (const { html } of [missing, unknown]) expect(barOf(html)).toBeDefined();
});

test("[LOG-09] nobody else sees it; names are text, whatever is in them, and each is by itself in its direction", async () => {
  expect(barOf((await visit({ view, shell: { user: anna } })).html)).toBeUndefined();
  expect(barOf((await visit({ view })).html)).toBeUndefined();
  const strange = { ...user, name: "<b>Anna</b>", company: "عربي 🚗 & Co" };
  const { html } = await visit({ view, shell: { user: strange } });
  expect(barOf(html)).toContain("<strong><bdi>Olga Admin</bdi></strong>");
  expect(barOf(html)).toContain("<bdi>&lt;b&gt;Anna&lt;/b&gt;</bdi></strong> (<bdi>عربي 🚗 &amp; Co</bdi>)");
});
