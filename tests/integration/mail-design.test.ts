import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mailExamples } from "~/domain/mail/examples/index.server";
import { MAIL_COLOURS } from "~/domain/mail/html-part.server";
import { usePortal } from "../support/portal";

usePortal();

/** Returns the text of an HTML part, without its markup and the entities that the examples contain. */
const wordsOf = (html: string): string =>
  html
    .replace(/<(style|title)>.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("every message", () => {
  test("[MAI-01] says what to do next, with one button, in both parts", () => {
    for (const { kind, mail } of mailExamples()) {
      const [, next = "", label = "", url = ""] =
        /^What to do next\n-+\n(.+)\n\n(.+):\n(https?:\/\/\S+)$/m.exec(mail.text) ?? [];
      expect(next, kind).toMatch(/[.?]$/);
      expect(wordsOf(mail.html), kind).toContain(next);
      expect(wordsOf(mail.html), kind).toContain(label);
      expect(mail.html.match(/<a [^>]*class="button"/g), kind).toHaveLength(1);
      expect(mail.html, kind).toContain(`href="${url.replaceAll("&", "&amp;")}"`);
    }
  });

  test("[MAI-01] follows the light or dark scheme of the reader in the portal's colours, and loads nothing", () => {
    const tokens = readFileSync("app/styles/tokens.css", "utf8");
    for (const [name, [light, dark]] of Object.entries(MAIL_COLOURS))
      expect(tokens).toContain(`--${name}: light-dark(${light}, ${dark});`);
    for (const { kind, mail } of mailExamples()) {
      expect(mail.html, kind).toContain('<meta name="color-scheme" content="light dark">');
      expect(mail.html, kind).toContain("@media (prefers-color-scheme:dark){.page{background-color:#10181f!important");
      expect(mail.html, kind).not.toMatch(/<(img|link|script|iframe)|url\(|@import/);
    }
  });
});
