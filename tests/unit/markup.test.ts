import { describe, expect, test } from "vitest";
import { cleanFields, cleanValues } from "~/http/form-fields.server";
import { isOnlyMarkup } from "~/lib/fields";
import { hasMarkup, stripMarkup } from "~/lib/plain-text.server";

/** Texts that people write, with a `<` that begins no tag of HTML. */
const KEPT = [
  "Mail of Jörg Lehmann <jorg.lehmann@bauer.example> of today",
  "<jorg@bauer.example>",
  "From: <a@b.example>, <b@a.example>",
  "x < y and a > b; <Müller>, 5 <6",
  "5 <6 and 7> 6",
  "<3",
  "1 <2> 3",
  "see <https://www.example.com/a?b=c>",
  "<mailto:anna@example.com>",
  "Serial number <unknown> and <Werk 2>",
  "the form <Antrag-2026>",
  "</> and <>",
  "a <- b -> c",
  "a => b <= c",
];

/** Markup and what is left of it. */
const STRIPPED = [
  ["<b>A</b>", "A"],
  ["<B >A</B\n>", "A"],
  ["A<br/>B", "A B"],
  ["<script>alert(1)</script>A", "A"],
  ["<SCRIPT SRC=//evil.example></SCRIPT>A", "A"],
  ["<style>p { color: red }</style>A", "A"],
  ["<!-- hidden -->A", "A"],
  ["<!DOCTYPE html>A", "A"],
  ["<img src=x onerror=alert(1)>A", "A"],
  ["<img/src=x/onerror=alert(1)>A", "A"],
  ["<svg/onload=alert(1)>A", "A"],
  ["<svg:script>A", "A"],
  ["<math><a xlink:href=javascript:alert(1)>A</a></math>", "A"],
  ["<iframe srcdoc='<b>'></iframe>A", "A"],
  ["<b title='>'>A", "A"],
  ["<x onclick=alert(1)>A", "A"],
  ["<x-y onfocus = 'alert(1)'>A", "A"],
  ["<x/onclick=alert(1)>A", "A"],
  ["<x title='>'onclick=alert(1)>A", "A"],
  ["<jorg@bauer.example onclick=alert(1)>A", "A"],
  ["<Müller <b>A", "<Müller A"],
  ["Jörg <jorg@bauer.example> <b>today</b>", "Jörg <jorg@bauer.example> today"],
  ["<b>5 <6</b>", "5 <6"],
  ["if a<b then c>d", "if ad"], // a tag to every browser
] as const;

/** Markup inside of markup: no pass leaves a tag. */
const NESTED = [
  "<<b>script>alert(1)",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<im<b>g src=x onerror=alert(1)>",
  "<x <y onclick=alert(1)>",
  "<x<b> onclick=alert(1)>",
  "<a@b.example <img src=x>>",
];

describe("[GEN-03] markup in a text", () => {
  test.each(KEPT)("'%s' has none and stays as it is", (text) => {
    expect([hasMarkup(text), isOnlyMarkup(text), stripMarkup(text)]).toEqual([false, false, text]);
  });

  test.each(STRIPPED)("'%s' is stripped to '%s'", (text, left) => {
    expect([hasMarkup(text), stripMarkup(text).trim()]).toEqual([true, left]);
  });

  test.each(NESTED)("'%s' leaves no tag and no handler", (text) => {
    const left = stripMarkup(text);
    expect(hasMarkup(left)).toBe(false);
    expect(left).not.toMatch(/<(script|img|b)\b|<[^>]*onclick=[^>]*>/i);
  });

  test("is looked for in the same way in every field of a form and of a body", () => {
    const [text, kept] = ["<b>Jörg</b> <jorg@bauer.example>, 5 <6", "Jörg <jorg@bauer.example>, 5 <6"];
    const form = new FormData();
    for (const name of ["note", "reason", "contactNote", "company", "position"]) form.set(name, text);
    expect([...cleanFields(form).values()]).toEqual(Array.from({ length: 5 }, () => kept));
    expect(cleanValues({ reason: text, inner: [{ remarks: text }] })).toEqual({
      reason: kept,
      inner: [{ remarks: kept }],
    });
  });
});
