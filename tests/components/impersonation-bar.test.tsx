import { expect, test } from "vitest";
import { errorResponse } from "~/http/responses.server";
import { notFound } from "~/lib/errors";
import { select, textsOf } from "../support/page";
import { anna, visit } from "./portal";

const view = () => <h1>Content</h1>;
const user = { ...anna, impersonator: { name: "Olga Admin" } };

const barOf = (html: string) => select(html, "section.acting");

test("[LOG-09] every page has a bar that says who acts as whom, with a way back that needs no scripts", async () => {
  const { html } = await visit({ view, shell: { user } });
  const bar = barOf(html);
  expect(bar.text()).toContain("Olga Admin is acting as Anna Müller (Example Parts Ltd)");
  const form = bar.find('form[method="post"][action="/end-login-as-user"]');
  expect(form).toHaveLength(1);
  expect(form.find('input[type="hidden"][name="csrf"]').attr("value")).toBe("csrf-token");
  expect(form.find('button[type="submit"]').text()).toBe("Back to my own account");
  expect(select(html, "section.acting ~ header")).toHaveLength(1);
});

test("[LOG-09] the bar is also on error pages and while details are missing", async () => {
  const missing = await visit({ view, shell: { user: { ...user, headerDisabled: true } } });
  const unknown = await visit({
    view,
    shell: { user },
    loader: () => {
      throw errorResponse(notFound());
    },
  });
  for (const { html } of [missing, unknown]) expect(barOf(html)).toHaveLength(1);
});

test("[LOG-09] nobody else sees the bar; names are plain text, isolated from the text around them", async () => {
  expect(barOf((await visit({ view, shell: { user: anna } })).html)).toHaveLength(0);
  expect(barOf((await visit({ view })).html)).toHaveLength(0);
  const strange = { ...user, name: "<b>Anna</b>", company: "عربي 🚗 & Co" };
  const { html } = await visit({ view, shell: { user: strange } });
  expect(textsOf(html, "section.acting strong > bdi")).toEqual(["Olga Admin", "<b>Anna</b>"]);
  expect(textsOf(html, "section.acting strong + bdi")).toEqual(["عربي 🚗 & Co"]);
  expect(barOf(html).text()).toContain("<b>Anna</b> (عربي 🚗 & Co)");
});
