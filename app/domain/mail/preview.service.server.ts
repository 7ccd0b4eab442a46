import { notFound } from "~/lib/errors";
import { mailExamples } from "./examples/index.server";
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

/**
 * Returns the preview of a kind of message. It shows examples and never stored messages, because their links let the reader log in. Throws
 * a PortalError (404) when there is no such kind.
 *
 * @param number Which example to show, from "1" on. Any other value shows the first one.
 */
export function previewTemplate(kind: string | undefined, number: string | null) {
  if (!isMailKind(kind)) throw notFound();
  const examples = mailExamples().filter((example) => example.kind === kind);
  const index = Math.max(
    examples.findIndex((_example, at) => String(at + 1) === number),
    0,
  );
  const example = examples[index];
  if (!example) throw notFound();
  return {
    kind,
    ...MAIL_KINDS[kind],
    titles: examples.map(({ title }) => title),
    number: index + 1,
    mail: example.mail,
  };
}
