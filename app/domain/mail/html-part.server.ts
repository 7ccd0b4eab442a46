import { escapeMarkup } from "~/lib/escape-markup.server";
import {
  FILES_TITLE,
  type MailFile,
  type MailParts,
  type MailStop,
  type MailStep,
  NEXT_TITLE,
  STATE_WORDS,
  STEPS_TITLE,
} from "./parts";

/**
 * The portal's colours, light and dark, by their names in `app/styles/tokens.css`. Mail programs know no custom properties, so the colours
 * are repeated here.
 */
export const MAIL_COLOURS = {
  bg: ["#f4f6f8", "#10181f"],
  surface: ["#fff", "#18232c"],
  "surface-2": ["#eaeff3", "#22303b"],
  text: ["#14212c", "#e6edf2"],
  "text-2": ["#485867", "#a9b8c4"],
  brand: ["#0a4a66", "#8cc8e6"],
  "on-brand": ["#fff", "#08202c"],
  link: ["#0a5580", "#8cc8e6"],
  ok: ["#145c37", "#8fdcae"],
  bad: ["#9a1b1b", "#f5a8a8"],
} as const;

/** Which properties of an element a class colours. */
const CLASSES = {
  page: { "background-color": "bg", color: "text" },
  sheet: { "background-color": "surface", "border-color": "brand" },
  next: { "background-color": "surface-2", "border-color": "brand" },
  button: { "background-color": "brand", color: "on-brand" },
  quiet: { color: "text-2" },
  link: { color: "link" },
  done: { color: "ok" },
  current: { color: "brand" },
  open: { color: "text-2" },
  ended: { color: "bad" },
} as const satisfies Record<string, Record<string, keyof typeof MAIL_COLOURS>>;

const coloursOf = (name: keyof typeof CLASSES, scheme: 0 | 1): string[] =>
  Object.entries(CLASSES[name]).map(([property, colour]) => `${property}:${MAIL_COLOURS[colour][scheme]}`);

const NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

const LIGHT = new Map(NAMES.map((name) => [name, coloursOf(name, 0).join(";")]));

/** Returns the attributes of an element. Its style has the light colours, for mail programs that ignore style sheets. */
const look = (name: keyof typeof CLASSES, style: string): string =>
  `class="${name}" style="${style};${LIGHT.get(name)}"`;

/** The dark colours outweigh the styles of the elements. */
const DARK = NAMES.map(
  (name) =>
    `.${name}{${coloursOf(name, 1)
      .map((rule) => `${rule}!important`)
      .join(";")}}`,
).join("");

/** The condition of the dark colours. */
export const DARK_QUERY = "(prefers-color-scheme:dark)";

/** On phones the sheet fills the screen, and the value of a fact stands below its label. */
const STYLES = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  "@media (max-width:480px){.page{padding:0!important}.sheet,.foot{padding-left:16px!important;padding-right:16px!important}",
  ".label,.value{display:block!important;width:auto!important}.label{padding:8px 0 0!important}.value{padding:0!important}}",
  `@media ${DARK_QUERY}{${DARK}}`,
].join("");

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeMarkup(text)}</p>`;
const heading = (title: string) =>
  `<h2 style="margin:0 0 8px;font-size:17px;line-height:1.3">${escapeMarkup(title)}</h2>`;

const factRow = ([label, value]: MailParts["facts"][number]) =>
  `<tr><th scope="row" class="label" style="width:34%;padding:4px 16px 4px 0;vertical-align:top;text-align:left;font-weight:normal">` +
  `<span ${look("quiet", "font-size:15px")}>${escapeMarkup(label)}</span></th>` +
  `<td class="value" style="padding:4px 0;vertical-align:top;word-break:break-word">${escapeMarkup(value)}</td></tr>`;

const factTable = (facts: MailParts["facts"]) =>
  facts.length === 0
    ? ""
    : `<table style="border-collapse:collapse;width:100%;margin:0 0 24px">${facts.map(factRow).join("")}</table>`;

const stepItem = ({ title, state, time, text }: MailStep) =>
  `<li style="margin:0 0 8px;padding:0 0 0 4px"><strong ${look(state, "")}>${STATE_WORDS[state]}: ${escapeMarkup(title)}</strong>` +
  `${time && `, ${escapeMarkup(time)}`}${text && `<br><span ${look("quiet", "font-size:15px")}>${escapeMarkup(text)}</span>`}</li>`;

const stepList = (steps: readonly MailStep[]) =>
  steps.length === 0
    ? ""
    : `${heading(STEPS_TITLE)}<ol style="margin:0 0 24px;padding:0 0 0 24px">${steps.map(stepItem).join("")}</ol>`;

/** The button is a cell of a table, because Outlook for Windows gives links no padding. */
const nextPanel = (next: string, { label, url }: MailParts["action"]) =>
  `<div ${look("next", "margin:0 0 24px;padding:16px;border-left:4px solid")}>${heading(NEXT_TITLE)}${paragraph(next)}` +
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 8px"><tr><td ${look("button", "border-radius:4px")}>` +
  `<a href="${escapeMarkup(url)}" ${look("button", "display:inline-block;padding:12px 20px;border-radius:4px;font-weight:bold;text-decoration:none")}>` +
  `${escapeMarkup(label)}</a></td></tr></table>` +
  `<p ${look("quiet", "margin:0;font-size:14px;word-break:break-all")}>${escapeMarkup(url)}</p></div>`;

const fileItem = ({ label, url, text }: MailFile) =>
  `<li style="margin:0 0 8px;padding:0 0 0 4px"><a href="${escapeMarkup(url)}" ${look("link", "font-weight:bold")}>${escapeMarkup(label)}</a>: ${escapeMarkup(text)}` +
  `<br><span ${look("quiet", "font-size:14px;word-break:break-all")}>${escapeMarkup(url)}</span></li>`;

const fileList = (files: readonly MailFile[]) =>
  files.length === 0
    ? ""
    : `${heading(FILES_TITLE)}<ul style="margin:0 0 24px;padding:0 0 0 24px">${files.map(fileItem).join("")}</ul>`;

const stopLink = ({ reason, label, url }: MailStop) =>
  `<p ${look("quiet", "margin:0 0 16px;font-size:14px")}>${escapeMarkup(reason)}<br><a href="${escapeMarkup(url)}" ${look("link", "")}>${escapeMarkup(label)}</a>:<br>` +
  `<span style="word-break:break-all">${escapeMarkup(url)}</span></p>`;

/**
 * Returns the HTML of a message: the brand rule, the sender, the subject as heading, and what the text part says. It loads nothing, and
 * follows the light or dark scheme of the mail program.
 */
export function htmlPart({ subject, paragraphs, footer, stop, ...parts }: MailParts): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`,
    `<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">`,
    `<title>${escapeMarkup(subject)}</title><style>${STYLES}</style></head>`,
    `<body ${look("page", "margin:0;padding:24px 8px;font:16px/1.5 'Source Sans 3','Segoe UI',Roboto,Helvetica,Arial,sans-serif")}>`,
    // Mail programs show the beginning of a message in the list. It must not be the sender, which they show anyway.
    `<div style="display:none;max-height:0;overflow:hidden">${escapeMarkup(paragraphs[0] ?? "")}</div>`,
    `<div role="article" lang="en" ${look("sheet", "max-width:600px;margin:0 auto;padding:20px 24px 24px;border-top:4px solid")}>`,
    `<p ${look("quiet", "margin:0 0 16px;font-weight:bold")}>${escapeMarkup(parts.sender)}</p>`,
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;word-break:break-word">${escapeMarkup(subject)}</h1>`,
    paragraph(parts.greeting),
    ...paragraphs.map(paragraph),
    factTable(parts.facts),
    stepList(parts.steps),
    nextPanel(parts.next, parts.action),
    fileList(parts.files),
    ...parts.after.map(paragraph),
    stop ? stopLink(stop) : "",
    `<p style="margin:0">Kind regards<br>${escapeMarkup(parts.sender)}</p></div>`,
    `<div class="foot" style="max-width:600px;margin:16px auto 0;padding:0 24px 16px">`,
    `<p ${look("quiet", "margin:0;font-size:13px")}>${footer.map(escapeMarkup).join("<br>")}</p></div>`,
    "</body></html>\n",
  ].join("\n");
}
