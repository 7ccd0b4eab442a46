import { vatNumberProblem } from "~/domain/reference/vat.schema";
import { vatRequired } from "../accounts.policy";
import { alike } from "./consolidation.policy";

/** The invoicing address and the VAT number of an account. The number is valid only for the country of the address. */
export interface Invoicing {
  accountId: number;
  /** Null when the account has no invoicing address. */
  address: { id: number; text: string; country: { iso: string; euMember: boolean } } | null;
  vatNumber: string | null;
  /** Null when no check was due. */
  vatNumberChecked: boolean | null;
}

const isSameAddress = (one: Invoicing, other: Invoicing): boolean =>
  one.address !== null && other.address !== null && alike(one.address.text) === alike(other.address.text);

/**
 * Adds a VAT number to an address that has none. Takes it from an account with the same address, otherwise from an account without an
 * address whose number is valid for the country.
 */
function withVatNumber(own: Invoicing, all: readonly Invoicing[]): Invoicing {
  if (!own.address || own.vatNumber) return own;
  const { country } = own.address;
  const same = all.find((other) => other.vatNumber && isSameAddress(own, other));
  if (same) return { ...own, vatNumber: same.vatNumber, vatNumberChecked: same.vatNumberChecked };
  const suits = ({ address, vatNumber }: Invoicing) => !address && vatNumber && !vatNumberProblem(vatNumber, country);
  const lone = all.find(suits);
  return lone ? { ...own, vatNumber: lone.vatNumber, vatNumberChecked: vatRequired(country) ? false : null } : own;
}

/**
 * Returns the choices for invoices when accounts are merged: pairs of address and VAT number, in the order of the accounts. A VAT number
 * without an address is a choice only when no account has an address.
 */
export function invoicingChoices(all: readonly Invoicing[]): Invoicing[] {
  const addressed = all.filter(({ address }) => address !== null);
  return (addressed.length > 0 ? addressed : all).map((own) => withVatNumber(own, all));
}

/** Returns the pair in one line, or "" when the account has neither. */
export const invoicingText = ({ address, vatNumber }: Invoicing): string =>
  [address?.text, vatNumber && `VAT number ${vatNumber}`].filter(Boolean).join(" · ");
