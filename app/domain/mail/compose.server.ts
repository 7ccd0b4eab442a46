import { getConfig } from "~/lib/config.server";

export interface LaidOutMail {
  subject: string;
  text: string;
  html: string;
}

export interface ComposedMail extends LaidOutMail {
  /** The content from which the message was composed. */
  content: MailContent;
}

export interface MailContent {
  subject: string;
  /** The name of the person. Without it the message begins with "Hello,". */
  greeting?: string;
  paragraphs: readonly string[];
  /** Pairs of label and value, shown as a small table. Empty values are omitted. */
  facts?: readonly (readonly [label: string, value: string])[];
  action?: { label: string; url: string };
  /** Paragraphs below the action. */
  after?: readonly string[];
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Puts a typed text on one line, so that a line break in a name or company cannot look like a line of the portal. */
const oneLine = (text: string) =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "") // Removes characters that reverse the direction of the text.
    .replace(/\s+/g, " ")
    .trim();

/** An invisible character that joins what is on its two sides. */
const WORD_JOINER = "\u2060";

/**
 * Changes a text so that mail programs find no address in it to turn into a link. It looks the same: every dot, at sign and "://" that can
 * be part of an address is followed by an invisible character.
 */
export const withoutLinks = (text: string): string =>
  text.replace(/[.．。｡@](?=\p{L})/gu, `$&${WORD_JOINER}`).replaceAll("://", `:${WORD_JOINER}//${WORD_JOINER}`);

/** How a message is composed for its reader. */
interface Layout {
  /** Omits the greeting, which contains a name that somebody typed, and writes the facts without links. */
  isGuarded?: boolean;
  /** The address where the reader can stop further messages. */
  stopUrl?: string;
}

/** The label of the link by which a contact can stop messages. */
const STOP = "Not me, send nothing more";
const STOP_TEXT = "You receive this message because a customer named this address.";

interface Parts extends Required<Omit<MailContent, "action">> {
  action: MailContent["action"];
  stopUrl: string | undefined;
  sender: string;
  footer: string[];
}

const textOf = ({ greeting, paragraphs, facts, action, after, sender, footer, stopUrl }: Parts) => {
  const width = Math.max(...facts.map(([label]) => label.length), 0) + 2;
  const blocks = [
    greeting,
    ...paragraphs,
    facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join("\n"),
    action ? `${action.label}:\n${action.url}` : "",
    ...after,
    stopUrl ? `${STOP_TEXT}\n${STOP}:\n${stopUrl}` : "",
    `Kind regards\n${sender}`,
    `-- \n${footer.join("\n")}`,
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
};

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

const factTable = (facts: MailContent["facts"] = []) =>
  facts.length === 0
    ? ""
    : `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${facts
        .map(
          ([label, value]) =>
            `<tr><td style="padding:4px 24px 4px 0;color:#51606b;vertical-align:top">${escapeHtml(label)}</td>` +
            `<td style="padding:4px 0;vertical-align:top;word-break:break-word">${escapeHtml(value)}</td></tr>`,
        )
        .join("")}</table>`;

const actionLink = ({ label, url }: { label: string; url: string }) =>
  `<p style="margin:0 0 8px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;` +
  `background:#0b5d66;color:#ffffff;border-radius:4px;text-decoration:none">${escapeHtml(label)}</a></p>` +
  `<p style="margin:0 0 16px;font-size:14px;color:#51606b;word-break:break-all">${escapeHtml(url)}</p>`;

const stopLink = (url: string) =>
  `<p style="margin:0 0 16px;font-size:14px;color:#51606b">${STOP_TEXT}<br><a href="${escapeHtml(url)}">${STOP}</a>:<br>` +
  `<span style="word-break:break-all">${escapeHtml(url)}</span></p>`;

const htmlOf = (subject: string, { greeting, paragraphs, facts, action, after, sender, footer, stopUrl }: Parts) =>
  [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f4f6f7;font:16px/1.5 Arial,Helvetica,sans-serif;color:#1c2a33">`,
    `<div style="max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border-top:4px solid #0b5d66">`,
    paragraph(greeting),
    ...paragraphs.map(paragraph),
    factTable(facts),
    action ? actionLink(action) : "",
    ...after.map(paragraph),
    stopUrl ? stopLink(stopUrl) : "",
    `<p style="margin:0">Kind regards<br>${escapeHtml(sender)}</p></div>`,
    `<p style="max-width:600px;margin:16px auto 0;font-size:13px;color:#51606b">${footer.map(escapeHtml).join("<br>")}</p>`,
    "</body></html>\n",
  ].join("\n");

/**
 * Composes a message as plain text and as HTML, signed with the configured sender name and legal footer. All texts are plain: they are
 * escaped in the HTML part, and typed texts stay on one line.
 */
export function composeMail(content: MailContent, { isGuarded = false, stopUrl }: Layout = {}): ComposedMail {
  const { branding, legal } = getConfig();
  const { greeting, facts = [] } = content;
  const factText = (value: string) => (isGuarded ? withoutLinks(oneLine(value)) : oneLine(value));
  const parts: Parts = {
    subject: oneLine(content.subject),
    greeting: greeting && !isGuarded ? `Hello ${oneLine(greeting)},` : "Hello,",
    paragraphs: content.paragraphs.map(oneLine),
    facts: facts.map(([label, value]) => [label, factText(value)] as const).filter(([, value]) => value !== ""),
    action: content.action,
    after: (content.after ?? []).map(oneLine),
    sender: branding.mailName,
    footer: [legal.company, legal.address, ...legal.registration, `Telephone ${legal.phone}`],
    stopUrl,
  };
  return { subject: parts.subject, text: textOf(parts), html: htmlOf(parts.subject, parts), content };
}

/**
 * Composes the message again for a reader who may be a stranger to the customer: an address that the account has not confirmed, or a
 * contact. The text that the customer typed appears neither in the first line nor in anything that a mail program turns into a link.
 *
 * @param stopUrl Given for contacts. The message then says how to stop such messages.
 */
export const guardedMail = ({ content }: ComposedMail, stopUrl?: string): ComposedMail =>
  stopUrl === undefined
    ? composeMail({ ...content, paragraphs: [...content.paragraphs, ...unchecked(content)] }, { isGuarded: true })
    : composeMail(content, { isGuarded: true, stopUrl });

/** The warning for an unconfirmed address. Messages to contacts contain such a warning in their own words. */
const unchecked = ({ facts = [] }: MailContent): string[] =>
  facts.length > 0
    ? ["This address is not confirmed yet. The text below was typed in the portal; we have not checked it."]
    : [];
