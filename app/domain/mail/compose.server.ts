import { getConfig } from "~/lib/config.server";
import { htmlPart } from "./html-part.server";
import { contactStop, type MailFile, type MailParts, type MailStep, type MailStop } from "./parts";
import { textPart } from "./text-part.server";

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
  /** How far an order has come. */
  steps?: readonly MailStep[];
  /** What the reader should do, in sentences. The button that follows does it. */
  next: string;
  action: MailParts["action"];
  /** Files that the reader can download directly, below the action. */
  files?: readonly MailFile[];
  /** Paragraphs below the action. */
  after?: readonly string[];
  /** Where the reader can stop such messages. */
  stop?: MailStop;
}

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
  /** Omits the greeting, which contains a name that somebody typed, and writes facts and steps without links. */
  isGuarded?: boolean;
  /** The address where a contact can stop further messages. */
  stopUrl?: string;
}

/**
 * Composes a message as plain text and as HTML, signed with the configured sender name and legal footer. All texts are plain: they are
 * escaped in the HTML part, and typed texts stay on one line.
 */
export function composeMail(content: MailContent, { isGuarded = false, stopUrl }: Layout = {}): ComposedMail {
  const { branding, legal } = getConfig();
  const { greeting, facts = [], steps = [] } = content;
  const subject = oneLine(content.subject);
  const typed = (text: string) => (isGuarded ? withoutLinks(oneLine(text)) : oneLine(text));
  const parts: MailParts = {
    subject: typed(subject),
    greeting: greeting && !isGuarded ? `Hello ${oneLine(greeting)},` : "Hello,",
    paragraphs: content.paragraphs.map(oneLine),
    facts: facts.map(([label, value]) => [label, typed(value)] as const).filter(([, value]) => value !== ""),
    steps: steps.map((step) => ({ ...step, text: typed(step.text) })),
    next: oneLine(content.next),
    action: content.action,
    files: content.files ?? [],
    after: (content.after ?? []).map(oneLine),
    sender: branding.mailName,
    footer: [legal.company, legal.address, ...legal.registration, `Telephone ${legal.phone}`],
    stop: stopUrl === undefined ? content.stop : contactStop(stopUrl),
  };
  return { subject, text: textPart(parts), html: htmlPart(parts), content };
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
