import { checkPromotion } from "~/domain/orders/promotion.service.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { csrInputKind, importCsr, pemOf, shownCsr } from "./csr-import.service.server";
import { csrMessages, normaliseCsrText } from "./csr-text";
import { type PurchaseDraft, type Typed } from "./drafts.schema";
import { saveDraft, type Draft } from "./drafts.service.server";
import { USAGE_FLAGS, VALIDITY_YEARS } from "./purchase.fields";
import { isImported } from "./purchase.policy";

/** The step's buttons. `update` recomputes the price where no script does it. */
export type OrderIntent = "next" | "import" | "apply" | "update" | "back";

/** What is wrong, by field. */
export type Problems = Record<string, string>;

export interface OrderSubmission {
  intent: OrderIntent;
  typed: Typed;
  /** The CSR's text box, whatever its length. */
  csr: string;
  file: Uint8Array | null;
  /** What the form's own rules found; they count for Next only. */
  problems: Problems;
}

export interface OrderOutcome {
  problems: Problems;
  /** What the CSR's text box shows from now on. */
  csr: string;
}

const yearsOf = ({ validityPeriod }: Typed): number =>
  VALIDITY_YEARS.find((years) => String(years) === validityPeriod) ?? VALIDITY_YEARS[0];

const promotionOf = (typed: Typed, now: Date) =>
  checkPromotion(getDb(), (typed.promoCode ?? "").trim(), yearsOf(typed), now);

const allUsages: Typed = Object.fromEntries(USAGE_FLAGS.map((flag) => [flag, "on"]));

/** The second step's page: what was typed, the decoded CSR if it still is the imported one, and what the price is made of. */
export async function orderStep(data: PurchaseDraft, now = new Date()) {
  const typed = data.order ?? { validityPeriod: String(VALIDITY_YEARS[0]) };
  const { promotion } = await promotionOf(typed, now);
  return {
    values: typed.showUsageAttributes ? typed : { ...typed, ...allUsages },
    details: data.imported && isImported(data) ? shownCsr(data.imported.details) : null,
    perYearCents: getConfig().prices.certificatePerYearCents,
    promotion,
  };
}

/**
 * Takes what one of the step's buttons sent. What was typed is kept, but never a private key, nor what is too long to be a CSR;
 * then the CSR is imported, the code looked up, or (Next) everything checked. Out: null when the draft is open no more.
 */
export async function submitOrder(
  userId: number,
  open: Draft<PurchaseDraft>,
  submission: OrderSubmission,
  now = new Date(),
): Promise<OrderOutcome | null> {
  const { intent, typed, file } = submission;
  const secretIn = secretField(submission);
  const csr = secretIn === "csr" ? "" : ((file && pemOf(file)) ?? submission.csr);
  const read = intent === "import" && !secretIn ? await importCsr(file ?? csr) : null;

  const draft = await saveDraft(
    userId,
    open,
    (data) => {
      const order = { ...typed, csr: csrInputKind(csr) === "readable" ? csr : "" };
      const imported = read?.ok ? { csr: normaliseCsrText(csr), details: read.details } : data.imported;
      const isStillImported = read === null ? isImported({ order, imported }) : read.ok;
      return { ...data, order, imported: isStillImported ? imported : undefined };
    },
    now,
  );
  if (!draft) return null;
  if (intent === "back") return { problems: {}, csr };

  const problems: Problems = {};
  if (intent === "next") Object.assign(problems, await problemsOf(draft.data, now), submission.problems);
  if (intent === "apply") Object.assign(problems, await promotionProblems(typed, now));
  if (read && !read.ok) problems[file ? "csrFile" : "csr"] = read.messages.join(" ");
  if (secretIn) problems[secretIn] = await secretProblem(secretIn === "csr" ? submission.csr : (file ?? ""));
  return { problems, csr };
}

/** The field that a private key was put into, if any. */
function secretField({ csr, file }: OrderSubmission): "csr" | "csrFile" | null {
  if (csrInputKind(csr) === "private-key") return "csr";
  return file && csrInputKind(file) === "private-key" ? "csrFile" : null;
}

async function secretProblem(secret: string | Uint8Array): Promise<string> {
  const read = await importCsr(secret);
  return read.ok ? csrMessages.decode : read.messages.join(" ");
}

async function promotionProblems(typed: Typed, now: Date): Promise<Problems> {
  const { problem } = await promotionOf(typed, now);
  return problem ? { promoCode: problem } : {};
}

/** What only the server can say before the order goes on: the CSR was imported and still passes, the promotion code counts. */
async function problemsOf(data: PurchaseDraft, now: Date): Promise<Problems> {
  const problems = await promotionProblems(data.order ?? {}, now);
  if (!isImported(data)) return { ...problems, csr: csrMessages.importFirst };
  const read = await importCsr(data.order?.csr ?? "");
  return read.ok ? problems : { ...problems, csr: read.messages.join(" ") };
}
