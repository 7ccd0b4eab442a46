import { type RuleCode } from "~/ca/csr/rules/catalogue";
import { type SessionUser } from "~/domain/accounts/session-user";
import { saveDraft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { requesterOf } from "~/domain/keys/key-rules.server";
import { checkPromotion, consumePromotionTry } from "~/domain/orders/promotion.service.server";
import { asLines, type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { isPortalError, type PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { withControlMarks } from "../request/confirmed-names.server";
import {
  type CsrImport,
  type CsrInput,
  pemOf,
  readCsrInput,
  shownCsr,
  unreadableRule,
} from "../request/csr-import.service.server";
import { csrMessages, normaliseCsrText } from "../request/csr-text";
import { type PreparationValues } from "../request/preparation/preparation-fields";
import { type Original } from "../succession/original.server";
import { detailsToBe, renewalView } from "../succession/renewal-view.server";
import { YEARS_RULE } from "../succession/renewal.policy";
import { checkOrderCsr, importOrderCsr } from "../succession/successor-csr.server";
import { changedBy } from "./drafts.schema";
import { DEFAULT_YEARS, USAGE_FLAGS, type UsageFlag, VALIDITY_YEARS } from "./fields";
import { findLastChoices } from "./last-order.server";
import { csrToMake, problemsToMake } from "./make-csr.server";
import { type OpenOrder } from "./open-order.server";
import { isImported } from "./purchase.policy";

/** The buttons of the step. `update` recomputes the price where no script does it; `commands` shows how to make key and CSR. */
export type OrderIntent = "next" | "import" | "apply" | "commands" | "update" | "back";

/** Error messages by field. */
export type Problems = Record<string, string>;

export interface OrderSubmission {
  intent: OrderIntent;
  typed: Typed;
  /** The content of the CSR's text box, whatever its length. */
  csr: string;
  file: Uint8Array | null;
  /** Errors that the form's own rules found. They count for Next only. */
  problems: Problems;
}

export interface OrderOutcome {
  problems: Problems;
  /** What the CSR's text box shows from now on. */
  csr: string;
  /** Seconds until another CSR or promotion code is checked, when a rate limit is reached. */
  retryAfter?: number | undefined;
  /** The rules that a refused CSR breaks. */
  rules?: readonly BrokenRule[] | undefined;
}

const yearsOf = ({ validityPeriod }: Typed): number =>
  VALIDITY_YEARS.find((years) => String(years) === validityPeriod) ?? DEFAULT_YEARS;

/** Returns whether a chosen file is read. A file that was chosen before another way is not. */
const isFileRead = ({ csrWay }: Typed): boolean => csrWay !== "make" && csrWay !== "paste";

const promotionOf = (typed: Typed, now: Date) =>
  checkPromotion(getDb(), (typed.promoCode ?? "").trim(), yearsOf(typed), now);

/** A renewal has no promotion code (REN-01). */
const NO_PROMOTION = { promotion: null, problem: null };

/** The field and the rule of usage attributes that the CA may not certify. */
const USAGE_RULE: RuleCode = "issuer-usage";
const SHOW_USAGE = "Tick 'Show Usage Attributes' first.";

const allUsages: Typed = Object.fromEntries(USAGE_FLAGS.map((flag) => [flag, "on"]));

/** Returns the typed values, with all usage attributes while their block is hidden. */
const withShownUsage = (typed: Typed): Typed => (typed.showUsageAttributes ? typed : { ...typed, ...allUsages });

/** Returns the usage attributes of the order. Empty when none is chosen. */
const usageOf = (typed: Typed, original: Original | null): UsageFlag[] => {
  const values = withShownUsage(typed);
  return original?.usage ?? USAGE_FLAGS.filter((flag) => values[flag]);
};

/** Returns the way that is chosen at first, and the details that it starts with. */
const firstWay = (typed: Typed, known: PreparationValues): Typed => ({
  csrWay: typed.csr ? "paste" : "make",
  host: known.commonName,
});

const NUMBER_HINT = "Your own number for this purchase; it appears on the invoice.";

/**
 * Returns the data of the second step's page: the typed values, the decoded CSR if the text is still the imported one, and what the price
 * is made of.
 */
export async function orderStep(user: SessionUser, { draft: { data }, original }: OpenOrder, now = new Date()) {
  const last = await findLastChoices(user);
  const isLastChoice = !original && !data.order && last !== null;
  const typed = data.order ?? { validityPeriod: String(DEFAULT_YEARS), ...(isLastChoice && last.values) };
  const { promotion } = original ? NO_PROMOTION : await promotionOf(typed, now);
  const making = await csrToMake(user, original, typed);
  const values = { ...firstWay(typed, making.known), ...withShownUsage(typed) };
  const usage = usageOf(typed, original);
  const details = data.imported && isImported(data) ? data.imported.details : null;
  return {
    values,
    // The OFTP ID is still being typed on this page. The review shows it.
    details:
      details &&
      (await withControlMarks(
        shownCsr(detailsToBe(details, original), { oftpid: "", usage, isRenewal: original !== null }),
        user.companyId,
        "customer",
        now,
      )),
    perYearCents: getConfig().prices.certificatePerYearCents,
    promotion,
    making,
    hints: {
      validity: original
        ? YEARS_RULE
        : isLastChoice
          ? `Usage and validity are those of your last order, ${last.order}.`
          : "",
      number: `${NUMBER_HINT}${last ? ` Your last order, ${last.order}, had ${last.purchaseOrderNumber}.` : ""}`,
    },
    lastNumber: last?.purchaseOrderNumber ?? "",
    renewal: original && renewalView(original, details),
  };
}

/**
 * Handles a button of the step. The typed values are saved, except a private key and a text that is too long for a CSR. Then the CSR is
 * imported, the promotion code is looked up, or (Next) the form is checked. Imported CSRs and promotion codes are counted; when there were
 * too many, the other values are only saved. Returns null when the draft is not open any more.
 */
export async function submitOrder(
  user: SessionUser,
  open: OpenOrder,
  submission: OrderSubmission,
  now = new Date(),
): Promise<OrderOutcome | null> {
  const { intent, typed } = submission;
  const text = readCsrInput(submission.csr);
  const chosenFile = isFileRead(typed) ? submission.file : null;
  const file = chosenFile && readCsrInput(chosenFile);
  const secretIn = secretField(text, file);
  const pem = file && pemOf(file);
  const csr = secretIn === "csr" ? "" : (pem ?? submission.csr);
  const isKept = pem !== null || text.kind === "readable";
  const read =
    intent === "import" && !secretIn
      ? await importOrderCsr(file ?? text, requesterOf(user), open.original ?? { oftpid: "", usage: [] })
      : null;
  const limit = await promotionLimit(user, open, submission);
  // The page looks a saved code up, so one that was not counted is not saved.
  const { promoCode = "" } = limit ? (open.draft.data.order ?? {}) : typed;

  const draft = await saveDraft(
    user.id,
    open.draft,
    (data) => {
      const order = { ...typed, promoCode, csr: isKept ? csr : "" };
      const imported = read?.ok ? { csr: normaliseCsrText(csr), details: read.details } : data.imported;
      const isUndecided = read === null || (!read.ok && read.retryAfter !== undefined);
      const isStillImported = isUndecided ? isImported({ order, imported }) : read.ok;
      return changedBy(user, { ...data, order, imported: isStillImported ? imported : undefined });
    },
    now,
  );
  if (!draft) return null;
  if (intent === "back") return { problems: {}, csr };
  if (limit) return { problems: { promoCode: limit.message }, csr, retryAfter: limit.retryAfter };

  const problems: Problems = {};
  const again =
    intent === "next" ? await importAgain({ ...open, draft }, pem === null ? text : (file ?? text), user) : read;
  const csrField = intent === "import" && file ? "csrFile" : "csr";
  if (again && !again.ok) Object.assign(problems, csrProblems(again, csrField, typed));
  if (intent === "next" && !open.original) Object.assign(problems, await promotionProblems(typed, now));
  if (intent === "next") Object.assign(problems, submission.problems);
  if (intent === "update") Object.assign(problems, validityProblems(typed, open));
  if (intent === "commands") Object.assign(problems, await problemsToMake(user, open.original, typed));
  if (intent === "apply" && !open.original) Object.assign(problems, await promotionProblems(typed, now));
  const secret = secretIn && unreadableRule((secretIn === "csr" ? text : file) ?? text);
  if (secretIn && secret) problems[secretIn] = secret.message;
  const rules = secret ? [secret] : again?.ok === false ? again.rules : undefined;
  return { problems, csr, rules, ...(again?.ok === false && { retryAfter: again.retryAfter }) };
}

/**
 * Returns what keeps the CSR from being accepted. A usage that the CA may not certify is a problem of its own field, whose block is hidden
 * until it is asked for.
 */
function csrProblems(
  { messages, rules = [] }: Extract<CsrImport, { ok: false }>,
  field: string,
  { showUsageAttributes }: Typed,
): Problems {
  const ofUsage = rules.filter(({ code }) => code === USAGE_RULE).map(({ message }) => message);
  const others = messages.filter((message) => !ofUsage.includes(message));
  const usage = showUsageAttributes ? ofUsage : ofUsage.map((message) => `${message} ${SHOW_USAGE}`);
  return {
    ...(others.length > 0 && { [field]: asLines(others) }),
    ...(usage.length > 0 && { usage: asLines(usage) }),
  };
}

/** Returns the field that contains a private key, if any. */
function secretField(text: CsrInput, file: CsrInput | null): "csr" | "csrFile" | null {
  if (text.kind === "private-key") return "csr";
  return file?.kind === "private-key" ? "csrFile" : null;
}

/**
 * Consumes a try when the promotion code is looked up: by Apply and Next, and by the page when the saved code has changed. Returns the
 * refusal when the account has none left, or null.
 */
async function promotionLimit(
  { id }: SessionUser,
  { original, draft }: OpenOrder,
  { intent, typed }: OrderSubmission,
): Promise<PortalError | null> {
  const isLookedUp = intent === "apply" || intent === "next" || typed.promoCode !== draft.data.order?.promoCode;
  if (original || !isLookedUp) return null;
  try {
    await consumePromotionTry(id, typed.promoCode ?? "");
    return null;
  } catch (error) {
    if (isPortalError(error)) return error;
    throw error;
  }
}

async function promotionProblems(typed: Typed, now: Date): Promise<Problems> {
  const { problem } = await promotionOf(typed, now);
  return problem ? { promoCode: problem } : {};
}

/** Returns why a renewal cannot be for the chosen years. */
function validityProblems({ validityPeriod = "" }: Typed, { original }: OpenOrder): Problems {
  const refusal = original?.refusals[validityPeriod];
  return refusal ? { validityPeriod: refusal } : {};
}

/** Checks, before the order goes on, that the CSR was imported and that its key can still be used. */
async function importAgain(
  { draft: { data }, original }: OpenOrder,
  input: CsrInput,
  user: SessionUser,
): Promise<CsrImport> {
  if (!isImported(data)) return { ok: false, messages: [csrMessages.importFirst] };
  const typed = data.order ?? {};
  const wanted = original ?? { oftpid: (typed.oftpid ?? "").trim().toUpperCase(), usage: usageOf(typed, null) };
  return checkOrderCsr(input, requesterOf(user), wanted);
}
