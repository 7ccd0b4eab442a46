/** A metric family of Prometheus' text format. */
export interface Family {
  type: string;
  help: string;
  /** Values by the suffix of the name and the sorted labels, such as `_count{route="/"}`; the labels are "" when there are none. */
  samples: Map<string, number>;
}

const SUFFIXES: Record<string, string[]> = {
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"],
};

const LABEL = /([A-Za-z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/g;
const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{((?:[A-Za-z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;

export const labelsIn = (text: string): [name: string, value: string][] =>
  [...text.matchAll(LABEL)].map(([, name = "", value = ""]) => [name, value]);

const numberIn = (text: string): number => {
  const value = text === "+Inf" ? Infinity : text === "Nan" || text === "NaN" ? NaN : Number(text);
  if (Number.isNaN(value) && !/^nan$/i.test(text)) throw new Error(`'${text}' is no number.`);
  return value;
};

/**
 * Reads Prometheus' text format 0.0.4 strictly: each family occurs once, with its type before its samples, no sample occurs twice, and all
 * lines are valid. Throws an Error otherwise.
 */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const families = new Map<string, Family>();
  let current: { name: string; family: Family } | undefined;
  let help: { name: string; text: string } | undefined;
  for (const line of text.split("\n").filter(Boolean)) {
    const [, kind, about = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") help = { name: about, text: rest };
    else if (kind === "TYPE") {
      if (families.has(about) || help?.name !== about) throw new Error(`Not one family: ${line}`);
      if (!/^(counter|gauge|histogram|summary)$/.test(rest)) throw new Error(`No type: ${line}`);
      current = { name: about, family: { type: rest, help: help.text, samples: new Map() } };
      families.set(about, current.family);
    } else {
      const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
      const suffix = current && name.startsWith(current.name) ? name.slice(current.name.length) : undefined;
      if (!current || suffix === undefined || !(SUFFIXES[current.family.type] ?? [""]).includes(suffix))
        throw new Error(`Not understood: ${line}`);
      const sorted = labelsIn(labels)
        .sort()
        .map(([label, of]) => `${label}="${of}"`);
      const key = suffix + (sorted.length > 0 ? `{${sorted.join(",")}}` : "");
      if (current.family.samples.has(key)) throw new Error(`Twice: ${line}`);
      current.family.samples.set(key, numberIn(value));
    }
  }
  return families;
}
