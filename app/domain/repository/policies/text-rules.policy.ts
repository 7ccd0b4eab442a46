import { readBlocks, type Sentence } from "./text.policy";

/** The names and numbers that a policy may write out, because no setting and no code can change them. */
const CONSTANTS: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /^#+ [\d.]+ /g, why: "the number of a section" },
  { pattern: /[Ss]ections? \d+(\.\d+)*( and \d+(\.\d+)*)?/g, why: "a reference to a section" },
  { pattern: /\b(RFC|ISO|CVE-\d+-|PKCS #|X\.)\s?\d+/g, why: "the number of a standard or of a known weakness" },
  { pattern: /\bOFTP2\b/g, why: "the name of the protocol" },
  { pattern: /\bversion [23]\b/g, why: "the format of certificates and CRLs with extensions in RFC 5280" },
];

/** Sources that are no rule of the portal. */
export const OTHER_SOURCES = {
  operator: "people of the certificate authority do it outside the portal",
  terms: "a definition, a reference, or what the parties agree on",
} as const;

const isOther = (source: string): source is keyof typeof OTHER_SOURCES => Object.hasOwn(OTHER_SOURCES, source);

/** Words that name who keeps a sentence with the source 'operator'. */
const ACTOR = /\b(the CA|staff|management|operators?)\b|\{\{operator\}\}/i;

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

/** What only a placeholder may say. 'One' and 'second' are left out: both have other meanings, and no figure is written with them. */
const FIGURES: readonly { pattern: RegExp; what: string }[] = [
  { pattern: /\S*\d\S*/, what: "figure" },
  {
    pattern:
      /\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|sixty|ninety|hundred|thousand|million|half|twice)\b/i,
    what: "number",
  },
  {
    pattern:
      /\b(seconds|minutes?|hours?|days?|nights?|weeks?|months?|years?|hourly|daily|nightly|weekly|monthly|yearly|annual(ly)?|bits?|bytes?|percent)\b|%/i,
    what: "unit",
  },
  { pattern: /\b(RSA|DSA|ECDSA|EC|SHA|AES|HMAC|argon2id|[bs]crypt|PBES2|PBKDF2|Ed25519)\b/, what: "algorithm" },
];

/** A sentence that breaks a rule. */
export interface TextProblem {
  file: string;
  line: number;
  /** What is wrong and what to do, as one sentence or two. */
  rule: string;
  /** The beginning of the sentence. */
  text: string;
}

/** Everything that the texts can name. */
export interface Sources {
  /** Whether each rule of the portal is in force. */
  facts: ReadonlyMap<string, boolean>;
  /** The placeholders with figures. They are a source of their sentence. */
  figures: ReadonlySet<string>;
  /** The placeholders that only say who and where. */
  names: ReadonlySet<string>;
}

export interface PolicySource {
  /** The name of the file, as messages show it. */
  file: string;
  markdown: string;
}

const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);

/** Returns the figures that a sentence writes out although only a placeholder may say them. */
function writtenFigures(text: string): string[] {
  const bare = CONSTANTS.reduce(
    (rest, { pattern }) => rest.replace(pattern, " "),
    text.replace(PLACEHOLDER, "").replace(/\]\([^)]*\)/g, "]"),
  );
  return FIGURES.flatMap(({ pattern, what }) => {
    const found = pattern.exec(bare)?.[0];
    return found === undefined
      ? []
      : [
          `The ${what} '${found}' is written out. Use a placeholder, such as {{baseLife}}, whose value comes from the configuration or the code.`,
        ];
  });
}

function factProblems({ sources, conditions }: Sentence, { facts }: Sources): string[] {
  return sources.flatMap((source) => {
    if (isOther(source)) return [];
    const holds = facts.get(source);
    if (holds === undefined)
      return [`The source '${source}' is unknown. The command 'npm run portal -- policies sources' lists all of them.`];
    return holds || conditions.includes(source)
      ? []
      : [
          `The source '${source}' does not hold in this portal. Correct the sentence, or write [[if ${source}]] to leave it out while it does not hold.`,
        ];
  });
}

function sentenceProblems(sentence: Sentence, known: Sources): string[] {
  const { text, sources } = sentence;
  const placeholders = placeholdersIn(text);
  const hasFigure = placeholders.some((name) => known.figures.has(name));
  return [
    ...placeholders
      .filter((name) => !known.figures.has(name) && !known.names.has(name))
      .map((name) => `The placeholder {{${name}}} has no value.`),
    ...factProblems(sentence, known),
    ...(sources.length === 0 && !hasFigure
      ? [
          "The sentence has no source. End it with the fact that the portal keeps, such as [[check.contact]], with [[operator]] when people do it outside the portal, or with [[terms]].",
        ]
      : []),
    ...(sources.includes("operator") && !ACTOR.test(text)
      ? ["The sentence does not say who does it. Name the CA, its staff, management or operators."]
      : []),
  ];
}

const beginningOf = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Returns what is wrong with the sentences of the policies. */
export const findTextProblems = (sources: readonly PolicySource[], known: Sources): TextProblem[] =>
  sources.flatMap(({ file, markdown }) =>
    readBlocks(markdown).flatMap(({ kind, sentences }) =>
      sentences.flatMap((sentence) =>
        [
          ...writtenFigures(sentence.text),
          ...(kind === "text" ? sentenceProblems(sentence, known) : factProblems(sentence, known)),
        ].map((rule) => ({ file, line: sentence.line, rule, text: beginningOf(sentence.text.trim()) })),
      ),
    ),
  );

/** Returns a problem as one line: file, line, rule and the beginning of the sentence. */
export const problemLine = ({ file, line, rule, text }: TextProblem): string => `${file}:${line}: ${rule} ('${text}')`;
