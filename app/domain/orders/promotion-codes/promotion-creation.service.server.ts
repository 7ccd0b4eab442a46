import { randomBytes, randomInt } from "node:crypto";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { formatDate } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type Trx } from "~db/connection.server";
import { insertNewPromotionCodes, insertPromotionBatch } from "~db/repositories/promotion-codes.server";
import { inTransaction } from "~db/transaction.server";
import { CODE_ALPHABET, CODE_LENGTH, isNumberToSpreadsheets } from "./limits";
import { type PromotionCodeForm, type PromotionCodesForm, type PromotionTerms } from "./promotion-code.schema";

/** Returns the id for a new form. Its codes are created once, however often the form is sent. */
export const newBatchId = (): string => randomBytes(16).toString("base64url");

/**
 * Returns different codes that nobody can guess: the prefix, followed by random letters and digits. Codes that look like numbers to
 * spreadsheets are left out.
 */
function randomCodes(count: number, prefix: string): string[] {
  const length = CODE_LENGTH - prefix.length;
  const symbol = () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length));
  const codes = new Set<string>();
  while (codes.size < count) {
    const code = prefix + Array.from({ length }, symbol).join("");
    if (!isNumberToSpreadsheets(code)) codes.add(code);
  }
  return [...codes];
}

/** Stores those codes that do not exist yet. Returns their number. */
const storeNew = (trx: Trx, codes: readonly string[], terms: PromotionTerms, now: Date): Promise<number> =>
  insertNewPromotionCodes(
    trx,
    codes.map((code) => ({
      code,
      valueCents: terms.value,
      months: terms.months,
      validUntil: terms.validUntil === null ? null : `${terms.validUntil}T23:59:59.999Z`,
      createdAt: now,
      batchId: terms.batch,
    })),
  );

const termsText = ({ value, months, validUntil }: PromotionTerms) =>
  `${formatEuro(value)}, ${months} ${months === 1 ? "month" : "months"}, ${
    validUntil === null ? "valid for ever" : `valid until ${formatDate(validUntil)}`
  }`;

/**
 * Creates one code that the administrator chose, with its audit entry. The same form sent again creates nothing. Throws a PortalError for
 * the field `code` when the code exists.
 */
async function createOwnCode(form: PromotionCodeForm, actor: Actor, now: Date): Promise<void> {
  await inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-promotion-codes");
    if (!(await insertPromotionBatch(trx, { id: form.batch, count: 1, createdAt: now }))) return;
    if ((await storeNew(trx, [form.code], form, now)) === 0)
      throw new PortalError(`The promotion code ${form.code} exists already.`, {
        code: "promotion-code.exists",
        field: "code",
      });
    const message = `A promotion code was created: ${termsText(form)}.`;
    await recordAudit(trx, { actor, event: "promotion-code.created", message, reference: form.code }, now);
  });
}

/** Creates generated codes, all or none, with one audit entry that names their batch. The same form sent again creates nothing. */
export async function createPromotionCodes(form: PromotionCodesForm, actor: Actor, now = new Date()): Promise<void> {
  const { batch, count, prefix } = form;
  const codes = randomCodes(count, prefix);
  await inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-promotion-codes");
    if (!(await insertPromotionBatch(trx, { id: batch, count, createdAt: now }))) return;
    let stored = await storeNew(trx, codes, form, now);
    while (stored < count) stored += await storeNew(trx, randomCodes(count - stored, prefix), form, now);
    const what = count === 1 ? "A promotion code was" : `${count} promotion codes were`;
    const message = `${what} created: ${termsText(form)}${prefix && `, prefix ${prefix}`}.`;
    await recordAudit(trx, { actor, event: "promotion-code.created", message, reference: batch }, now);
  });
}

/**
 * Creates one code: the one in the form, or a generated one when the field is empty. Throws a PortalError for the field `code` when the
 * code exists.
 */
export const createPromotionCode = (form: PromotionCodeForm, actor: Actor, now = new Date()): Promise<void> =>
  form.code === ""
    ? createPromotionCodes({ ...form, count: 1, prefix: "" }, actor, now)
    : createOwnCode(form, actor, now);
