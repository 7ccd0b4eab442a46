import {
  FILES_TITLE,
  type MailFile,
  type MailParts,
  type MailStep,
  NEXT_TITLE,
  STATE_WORDS,
  STEPS_TITLE,
} from "./parts";

const heading = (title: string) => `${title}\n${"-".repeat(title.length)}`;

/** Returns labels and values in two columns. */
function table(rows: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length), 0) + 2;
  return rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join("\n");
}

/** Returns a step on one line, such as `2. Now: Contact authorised. Bernd Boss has to follow the link.` Who did it goes on the sentence. */
function stepLine({ title, state, time, text }: MailStep, index: number): string {
  const what = `${index + 1}. ${STATE_WORDS[state]}: ${title}${time && `, ${time}`}`;
  if (text === "") return what;
  return text.startsWith("by ") ? `${what}, ${text}` : `${what}. ${text}`;
}

const fileLines = ({ label, url, text }: MailFile): string => `${label}: ${text}\n${url}`;

/** Returns the plain text of a message. It says all that the HTML part says, in the same order. */
export function textPart({ greeting, paragraphs, facts, steps, action, files, stop, ...parts }: MailParts): string {
  const blocks = [
    greeting,
    ...paragraphs,
    table(facts),
    steps.length > 0 ? `${heading(STEPS_TITLE)}\n${steps.map(stepLine).join("\n")}` : "",
    `${heading(NEXT_TITLE)}\n${parts.next}`,
    `${action.label}:\n${action.url}`,
    files.length > 0 ? [heading(FILES_TITLE), ...files.map(fileLines)].join("\n\n") : "",
    ...parts.after,
    stop ? `${stop.reason}\n${stop.label}:\n${stop.url}` : "",
    `Kind regards\n${parts.sender}`,
    `-- \n${parts.footer.join("\n")}`,
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}
