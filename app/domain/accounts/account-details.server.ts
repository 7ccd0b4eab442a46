import { createHash } from "node:crypto";
import { quoted, storedNow } from "~/domain/changed-meanwhile";
import { normaliseVat } from "~/domain/reference/vat.schema";
import { type DbOrTrx } from "~db/connection.server";
import { type AddressForm } from "./accounts.schema";
import { addressPart } from "./address-form";
import { type CompanyDetails, type InvoicingForm } from "./details.schema";
import { type Profile } from "./profile.service.server";
import { quotedAddress } from "./quoted-address.server";

/** The company details of an account, in the shape of the forms: "" for a text without a value, null for a missing address. */
export interface CompanyPart {
  companyRegistrationNumber: string;
  taxNumber: string;
  vatNumber: string;
  companyAddress: AddressForm | null;
  invoicingAddress: InvoicingForm | null;
}

/** The details that users change themselves. Stored and typed details have this same shape, so that they can be compared. */
export interface AccountDetails extends CompanyPart {
  firstName: string;
  lastName: string;
  company: string;
  position: string;
  email: string;
  telephoneNumber: string;
}

/** The names of the details, as audit entries and messages use them. */
export const WORDS: Readonly<Record<keyof AccountDetails, string>> = {
  firstName: "first name",
  lastName: "last name",
  company: "company",
  position: "position",
  email: "email",
  telephoneNumber: "telephone",
  companyRegistrationNumber: "company registration number",
  taxNumber: "tax registration number",
  companyAddress: "company address",
  invoicingAddress: "invoicing address",
  vatNumber: "VAT number",
};
const PARTS = Object.keys(WORDS) as (keyof AccountDetails)[];

/**
 * Returns the company details that a form sends.
 *
 * @param company The company of the invoicing address when the company address is used for invoices.
 */
export function companyPartOf(form: CompanyDetails, company: string): CompanyPart {
  const companyAddress = form.companyAddress ? addressPart(form.companyAddress) : null;
  const own = form.useCompanyAddress ? companyAddress && { ...companyAddress, company } : null;
  const other = form.invoicingAddress && {
    ...addressPart(form.invoicingAddress),
    company: form.invoicingAddress.company,
  };
  return {
    companyRegistrationNumber: form.companyRegistrationNumber,
    taxNumber: form.taxNumber,
    vatNumber: normaliseVat(form.vatNumber),
    companyAddress,
    invoicingAddress: own ?? other ?? null,
  };
}

/** Returns the stored details of an account. */
export function detailsOf(profile: Profile): AccountDetails {
  const { firstName, lastName, company, position, email, telephoneNumber, companyAddress, invoicingAddress } = profile;
  return {
    firstName,
    lastName,
    company,
    position,
    email,
    telephoneNumber,
    companyRegistrationNumber: profile.companyRegistrationNumber ?? "",
    taxNumber: profile.taxNumber ?? "",
    vatNumber: profile.vatNumber ?? "",
    companyAddress: companyAddress && addressPart(companyAddress),
    invoicingAddress: invoicingAddress && {
      ...addressPart(invoicingAddress),
      company: invoicingAddress.company ?? company,
    },
  };
}

const differingParts = (one: AccountDetails, other: AccountDetails) =>
  PARTS.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));

/** Returns a function that describes one detail in a sentence. An address takes one line. */
async function partTexts(db: DbOrTrx, details: AccountDetails): Promise<(part: keyof AccountDetails) => string> {
  const { companyAddress, invoicingAddress, ...texts } = details;
  const addresses = {
    companyAddress: await quotedAddress(db, companyAddress, "none"),
    invoicingAddress: await quotedAddress(db, invoicingAddress, "none"),
  };
  return (part) => (part === "companyAddress" || part === "invoicingAddress" ? addresses[part] : quoted(texts[part]));
}

/**
 * Describes the changes from one state to the other in words, such as 'city from … to …', in the order of the page. The email is omitted.
 */
export async function accountChanges(db: DbOrTrx, before: AccountDetails, after: AccountDetails): Promise<string[]> {
  const [from, to] = [await partTexts(db, before), await partTexts(db, after)];
  return differingParts(before, after)
    .filter((part) => part !== "email")
    .map((part) => `${WORDS[part]} from ${from(part)} to ${to(part)}`);
}

/** Describes the change of the mailing address in the same way. It is no detail that users change themselves, but a merge can change it. */
export async function mailingAddressChange(db: DbOrTrx, before: Profile, after: Profile): Promise<string[]> {
  const textOf = ({ mailingAddress }: Profile) =>
    quotedAddress(
      db,
      mailingAddress && { ...addressPart(mailingAddress), company: mailingAddress.company ?? "" },
      "none",
    );
  const [from, to] = [await textOf(before), await textOf(after)];
  return from === to ? [] : [`mailing address from ${from} to ${to}`];
}

/** Returns the details in which the stored state differs from what was typed, each with the stored value. */
export async function differingDetails(db: DbOrTrx, stored: AccountDetails, typed: AccountDetails): Promise<string[]> {
  const textOf = await partTexts(db, stored);
  return differingParts(stored, typed).map((part) => storedNow(WORDS[part], textOf(part)));
}

/**
 * Returns the version of these details, a hash. It changes with every change of a detail, so a form that shows older details can be
 * recognised.
 */
export const versionOf = (details: AccountDetails): string =>
  createHash("sha256")
    .update(JSON.stringify(PARTS.map((part) => details[part])))
    .digest("base64url");
