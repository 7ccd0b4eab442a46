import { type ZxcvbnFactory } from "@zxcvbn-ts/core";

/**
 * The number of guesses that a password must take by zxcvbn's estimate. zxcvbn's score 3 begins five guesses above this, which no password
 * of eight characters reaches. Eight characters without any pattern must be enough (REG-01).
 */
const MIN_GUESSES = 1e8;

const WHAT_TO_DO = "Choose a longer one, for example four words that have nothing to do with each other.";

/** Returns the words of personal data: whole texts and their parts. Parts of fewer than three characters are ignored. */
const wordsOf = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length >= 3)),
];

interface Estimator {
  factory: ZxcvbnFactory;
  warnings: Readonly<Record<string, string | null>>;
}

/** Loads the dictionaries. That takes about a second, so it happens only in a process in which a password is chosen. */
async function loadEstimator(): Promise<Estimator> {
  const { ZxcvbnFactory } = await import("@zxcvbn-ts/core");
  const common = await import("@zxcvbn-ts/language-common");
  const english = await import("@zxcvbn-ts/language-en");
  const german = await import("@zxcvbn-ts/language-de");
  const factory = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary, ...german.dictionary },
    graphs: common.adjacencyGraphs,
    useLevenshteinDistance: false, // With it, one password takes seconds.
    l33tMaxSubstitutions: 8, // The default is 512, with which a password made for the purpose takes seconds.
  });
  return { factory, warnings: english.translations.warnings };
}

let estimator: Promise<Estimator> | undefined;

/**
 * Returns why a new password is too easy to guess and what to do, or null. zxcvbn knows common passwords, words and names in English and
 * German, dates, keyboard patterns and repetitions (Wheeler, "zxcvbn: Low-Budget Password Strength Estimation", 2016).
 *
 * @param own Data of the person and the company, which an attacker tries first.
 */
export async function strengthProblem(password: string, own: readonly string[]): Promise<string | null> {
  const { factory, warnings } = await (estimator ??= loadEstimator());
  const { guesses, feedback } = factory.check(password, wordsOf(own));
  if (guesses >= MIN_GUESSES) return null;
  const isOwn = feedback.warning === "userInputs";
  const reason = isOwn
    ? "It contains your own data, or a name or word of this portal."
    : warnings[feedback.warning ?? ""];
  return ["This password is too easy to guess.", reason, WHAT_TO_DO].filter(Boolean).join(" ");
}
