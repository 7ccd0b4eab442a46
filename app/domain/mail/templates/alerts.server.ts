import { composeMail, type ComposedMail } from "../compose.server";

interface Mention {
  title: string;
  /** What was found, such as the end of a CRL, or "". */
  detail: string;
  /** What it means and what to do. */
  text: string;
  since: string;
  until: string;
}

interface AlertMail {
  name: string;
  begun: readonly Mention[];
  /** Alerts that the reader was told of a day ago. */
  lasting: readonly Mention[];
  ended: readonly Mention[];
  /** The page of the alerts. */
  url: string;
}

const counted = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}`]);

/** Names the only alert, or says how many there are of each kind. */
function subjectOf({ begun, lasting, ended }: AlertMail): string {
  const [only, ...others] = [
    ...begun.map(({ title }) => `Alert: ${title}`),
    ...lasting.map(({ title }) => `Alert still lasts: ${title}`),
    ...ended.map(({ title }) => `Alert has ended: ${title}`),
  ];
  if (only !== undefined && others.length === 0) return only;
  const counts = [
    ...counted(begun.length, "new"),
    ...counted(lasting.length, "lasting"),
    ...counted(ended.length, "ended"),
  ];
  return `Alerts: ${counts.join(", ")}`;
}

const inFull = ({ title, detail, since, text }: Mention): string =>
  `${title}${detail && ` (${detail})`}, since ${since}. ${text}`;

/** Informs operators of what is wrong with the portal itself, or is well again. */
export const alertMail = (content: AlertMail): ComposedMail =>
  composeMail({
    subject: subjectOf(content),
    greeting: content.name,
    paragraphs: [
      ...content.begun.map((mention) => `New: ${inFull(mention)}`),
      ...content.lasting.map((mention) => `Still there after a day: ${inFull(mention)}`),
      ...content.ended.map(({ title, since, until }) => `Ended: ${title}, from ${since} to ${until}.`),
    ],
    next:
      content.begun.length + content.lasting.length > 0
        ? "Please do what the alerts above advise. The page of the alerts shows whether they have ended."
        : "There is nothing to do. The page of the alerts shows those that ended.",
    action: { label: "Open the alerts", url: content.url },
    after: [
      "You receive one message when an alert begins, one when it has lasted for a day, and one when it has ended.",
    ],
  });
