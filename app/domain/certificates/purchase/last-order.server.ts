import { type SessionUser } from "~/domain/accounts/session-user";
import { type Typed } from "~/domain/drafts/typed-values";
import { orderNumber } from "~/domain/orders/order-number";
import { getDb } from "~db/connection.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { findLastCertificateOf } from "~db/repositories/own-orders.server";
import { contactValues } from "../succession/renewal.service.server";
import { type ContactRules } from "./contact.policy";
import { contactSchemaFor } from "./contact.schema";
import { LONGEST_VALIDITY_YEARS, USAGE_FLAGS } from "./fields";

/**
 * Returns the contact of the company's last order, which a new order begins with, and the number of that order. Returns null when there is
 * none, when the contact wants no messages, or when the rules for this order refuse the contact.
 */
export async function findLastContact({ companyId }: SessionUser, rules: ContactRules) {
  const last = await findLastCertificateOf(getDb(), companyId);
  if (!last || (await findContactStop(getDb(), last.authenticationEmail))) return null;
  const values = contactValues(last);
  return contactSchemaFor(rules).safeParse(values).success ? { values, order: orderNumber(last.orderId) } : null;
}

/**
 * Returns the choices of the company's last order as values of the order step, with the numbers of that order, or null when there is none.
 * A purchase order number is offered, but never filled in: most orders have their own one.
 */
export async function findLastChoices({ companyId }: SessionUser) {
  const last = await findLastCertificateOf(getDb(), companyId);
  if (!last) return null;
  const usage = USAGE_FLAGS.filter((flag) => last[flag]);
  const chosen = Object.fromEntries(usage.map((flag) => [flag, "on"]));
  const years = Math.min(Math.max(last.validityYears, 1), LONGEST_VALIDITY_YEARS);
  const values: Typed = {
    validityPeriod: String(years),
    ...(usage.length < USAGE_FLAGS.length && { showUsageAttributes: "on", ...chosen }),
  };
  return { values, order: orderNumber(last.orderId), purchaseOrderNumber: last.purchaseOrderNumber };
}
