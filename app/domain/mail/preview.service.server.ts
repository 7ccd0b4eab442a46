import { notFound } from "~/lib/errors";
import { mailExamples } from "./examples/index.server";
import { DARK_QUERY } from "./html-part.server";
import { isMailKind, type MailKind, MAIL_KINDS } from "./kinds";

const KINDS = Object.keys(MAIL_KINDS) as MailKind[];

/** Returns every kind of message with the subject of its first example. */
export function listTemplates() {
  const all = mailExamples();
  return KINDS.map((kind) => ({
    kind,
    ...MAIL_KINDS[kind],
    subject: all.find((example) => example.kind === kind)?.mail.subject ?? "",
  }));
}

export type TemplateItem = ReturnType<typeof listTemplates>[number];

/** The colours of a preview. Without one of them, they are those of the reader's device, as in the message. */
const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number] | undefined;

/** Returns the HTML part of a message in this scheme, whatever the scheme of the device. */
const inScheme = (html: string, scheme: Scheme): string =>
  scheme === undefined ? html : html.replace(DARK_QUERY, scheme === "dark" ? "all" : "not all");

/**
 * Returns the preview of a kind of message. It shows examples and never stored messages, because their links let the reader log in. Throws
 * a PortalError (404) when there is no such kind.
 *
 * @param query Which `example` to show, from "1" on, and in which `scheme`, "light" or "dark". Any other value shows the first example, and the
 * scheme of the device.
 */
export function previewTemplate(kind: string | undefined, query: URLSearchParams) {
  if (!isMailKind(kind)) throw notFound();
  const examples = mailExamples().filter((example) => example.kind === kind);
  const index = Math.max(
    examples.findIndex((_example, at) => String(at + 1) === query.get("example")),
    0,
  );
  const example = examples[index];
  if (!example) throw notFound();
  const scheme = SCHEMES.find((name) => name === query.get("scheme"));
  return {
    kind,
    ...MAIL_KINDS[kind],
    titles: examples.map(({ title }) => title),
    number: index + 1,
    scheme,
    mail: { ...example.mail, html: inScheme(example.mail.html, scheme) },
  };
}
