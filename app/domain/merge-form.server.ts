import { quoted } from "./changed-meanwhile";

type Value = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/**
 * The values of a form as a loader returns them: an address is a group, a checkbox a boolean, and checkboxes with the same name an array.
 */
export type FormValues = Readonly<Record<string, Value | undefined>>;

type Texts = Readonly<Record<string, string>>;

const textOf = (value: string | boolean | readonly string[]): string => {
  if (typeof value === "boolean") return value ? "on" : "";
  return typeof value === "string" ? value : [...value].sort().join(",");
};

const isGroup = (value: Value): value is Readonly<Record<string, string>> =>
  typeof value === "object" && !Array.isArray(value);

/** Returns one text for each field. The name of a field in a group is like `physicalAddress.city`. */
function textsOf(values: FormValues): Texts {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (!isGroup(value)) texts[name] = textOf(value);
    else for (const [part, text] of Object.entries(value)) texts[`${name}.${part}`] = text;
  }
  return texts;
}

/** The hidden field with the values with which a form was opened. It is base64url, so that the markup rules for texts do not change it. */
const OPENED = "opened";

const encode = (texts: Texts): string => Buffer.from(JSON.stringify(texts)).toString("base64url");

/** Returns the values with the hidden field `opened`. `mergeForm` later uses it to find out what the person changed. */
export const withOpened = <Values extends FormValues>(values: Values): Values & { opened: string } => ({
  ...values,
  [OPENED]: encode(textsOf(values)),
});

/** Returns the values with which the form was opened, or null when the hidden field is missing or not valid. */
function openedIn(form: FormData): Texts | null {
  const sent = form.get(OPENED);
  if (typeof sent !== "string") return null;
  try {
    const texts: unknown = JSON.parse(Buffer.from(sent, "base64url").toString("utf8"));
    if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return null;
    return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"));
  } catch {
    return null;
  }
}

/** Fields that belong together, such as an address. Half of one value and half of another do not make a valid one. */
export interface JoinedFields {
  names: readonly string[];
  /** The checkbox that replaces the other fields while it is ticked. */
  instead?: string;
}

export interface MergeRules {
  /** The fields that are merged, with their labels. */
  labels: Readonly<Record<string, string>>;
  /** The name of the hidden field with the version of the stored data. */
  version: string;
  joined: readonly JoinedFields[];
  /** The checkboxes, for which a form sends nothing when none is ticked. */
  boxes?: readonly string[];
  /** Returns the same text for all ways to write one value. */
  same?: (name: string, text: string) => string;
  /** Returns a text as people see it; null means the text itself. */
  shown?: (name: string, text: string) => string | null;
}

export interface MergedForm {
  /** The form, which can be saved over what is stored now. */
  form: FormData;
  /** The labels of the fields that only somebody else changed. They have their stored values. */
  taken: string[];
  /** The messages at the fields that the person must decide about, by name. */
  collisions: Record<string, string>;
}

function sentIn(form: FormData, name: string, boxes: readonly string[]): string | undefined {
  const texts = form.getAll(name).filter((value) => typeof value === "string");
  return texts.length > 0 || boxes.includes(name) ? textOf(texts) : undefined;
}

function setText(form: FormData, name: string, text: string, boxes: readonly string[]): void {
  form.delete(name);
  if (!boxes.includes(name)) form.set(name, text);
  else for (const value of text.split(",").filter(Boolean)) form.append(name, value);
}

const plain = (text: string): string => text.replace(/\r\n?/g, "\n").trim();

interface Field {
  name: string;
  typed: string;
  stored: string;
  isMine: boolean;
  isTheirs: boolean;
}

/** Returns fields that belong together, with who changed them. While the checkbox is ticked, the fields that it replaces count as empty. */
function compare({ names, instead }: JoinedFields, sent: FormData, stored: Texts, rules: MergeRules): Field[] {
  const { labels, boxes = [], same = (_, text) => text } = rules;
  const opened = openedIn(sent);
  const sources = {
    typed: (name: string) => sentIn(sent, name, boxes) ?? opened?.[name] ?? stored[name] ?? "",
    opened: (name: string) => opened?.[name] ?? "",
    stored: (name: string) => stored[name] ?? "",
  };
  return names
    .filter((name) => name in labels)
    .map((name) => {
      const valueIn = (textIn: (name: string) => string) =>
        instead !== undefined && name !== instead && textIn(instead) !== "" ? "" : same(name, plain(textIn(name)));
      const [typed, before, now] = [valueIn(sources.typed), valueIn(sources.opened), valueIn(sources.stored)];
      const isChanged = (value: string) => typed !== now && (opened === null || value !== before);
      return {
        name,
        typed: sources.typed(name),
        stored: sources.stored(name),
        isMine: isChanged(typed),
        isTheirs: isChanged(now),
      };
    });
}

const collision = (stored: string): string => `This was changed meanwhile. Stored now: ${stored}. Your entry is kept.`;

/** Returns the messages at fields that belong together and that both have changed. */
function collisionsOf(fields: readonly Field[], { instead }: JoinedFields, rules: MergeRules): Record<string, string> {
  const wordsFor = (name: string, text: string) =>
    rules.shown?.(name, text) ?? (name === instead ? (text ? "ticked" : "not ticked") : quoted(text));
  const box = fields.find(({ name }) => name === instead);
  if (box && box.typed !== box.stored) {
    const rest = box.stored ? [] : fields.filter(({ name, stored }) => name !== instead && stored !== "");
    const words = rest.map(({ name, stored }) => wordsFor(name, stored)).join(", ");
    return { [box.name]: collision(words || wordsFor(box.name, box.stored)) };
  }
  const notices = fields
    .filter(({ isTheirs }) => isTheirs)
    .map(({ name, typed, stored, isMine }): [string, string] => [
      name,
      isMine
        ? collision(wordsFor(name, stored))
        : `This was changed meanwhile from ${wordsFor(name, typed)} to ${wordsFor(name, stored)}. Please check it together with what you changed.`,
    ]);
  return Object.fromEntries(notices);
}

/**
 * Merges what a person typed in an older form with what somebody else stored meanwhile, field by field (docs/decisions/0049). Fields that
 * the person did not change get the stored value. Fields that only the person changed stay as typed. The person decides about fields that
 * both changed; fields that belong together count as one. Without the values with which the form was opened, every field that differs
 * counts as changed by both.
 */
export function mergeForm(sent: FormData, values: FormValues, rules: MergeRules): MergedForm {
  const stored = textsOf(values);
  const form = new FormData();
  for (const [name, value] of sent) form.append(name, value);
  const take = (name: string, text: string) => setText(form, name, text, rules.boxes ?? []);
  const taken: string[] = [];
  const collisions: Record<string, string> = {};
  const joined = new Set(rules.joined.flatMap(({ names }) => names));
  const single = Object.keys(rules.labels).filter((name) => !joined.has(name));
  for (const group of [...single.map((name) => ({ names: [name] })), ...rules.joined]) {
    const fields = compare(group, sent, stored, rules);
    const theirs = fields.filter(({ isTheirs }) => isTheirs);
    const isMine = fields.some((field) => field.isMine);
    const notices = isMine && theirs.length > 0 ? collisionsOf(fields, group, rules) : {};
    Object.assign(collisions, notices);
    if (!isMine) taken.push(...theirs.map(({ name }) => rules.labels[name] ?? name));
    const untouched = isMine ? fields.filter(({ name, isMine: isTyped }) => name in notices && !isTyped) : fields;
    for (const { name, stored: text } of untouched) take(name, text);
  }
  form.set(rules.version, stored[rules.version] ?? "");
  form.set(OPENED, encode(stored));
  return { form, taken, collisions };
}
