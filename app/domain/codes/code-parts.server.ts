import { type AddressForm } from "~/domain/accounts/accounts.schema";
import { addressPart } from "~/domain/accounts/address-form";
import { quotedAddress } from "~/domain/accounts/quoted-address.server";
import { quoted, storedNow } from "~/domain/changed-meanwhile";
import { type DbOrTrx } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { type CodeRow } from "~db/repositories/codes.server";
import { type CodeForm } from "./code-details.schema";
import { entityTypeLabel, entityTypesOf, sumOf } from "./entity-types";

/** The details of a code. Stored and typed details have this same shape, so that they can be compared. */
export interface CodeParts {
  entityName: string;
  shortName: string;
  tradeName: string;
  status: CodeRow["status"];
  vatNumber: string;
  directParentId: string;
  domesticParentId: string;
  globalParentId: string;
  dunsNumber: string;
  /** The sum of the entity types' flags. */
  entityType: number;
  otherText: string;
  /** Null when it is the company address. */
  physicalAddress: AddressForm | null;
  /** Null when it is the physical address. */
  mailingAddress: AddressForm | null;
}

const WORDS: Readonly<Record<keyof CodeParts, string>> = {
  entityName: "entity name",
  shortName: "short name",
  tradeName: "trade name",
  status: "status",
  vatNumber: "VAT number",
  directParentId: "direct parent",
  domesticParentId: "domestic ultimate parent",
  globalParentId: "global ultimate parent",
  dunsNumber: "DUNS number",
  entityType: "entity types",
  otherText: "other entity type",
  physicalAddress: "physical address",
  mailingAddress: "mailing address",
};

/** Returns the stored details of a code. */
export async function partsOf(db: DbOrTrx, code: CodeRow): Promise<CodeParts> {
  const physical = await findAddress(db, code.physicalAddressId);
  const mailing = await findAddress(db, code.mailingAddressId);
  return {
    entityName: code.entityName,
    shortName: code.shortName ?? "",
    tradeName: code.tradeName ?? "",
    status: code.status,
    vatNumber: code.vatNumber ?? "",
    directParentId: code.directParent ?? "",
    domesticParentId: code.domesticUltimateParent ?? "",
    globalParentId: code.globalUltimateParent ?? "",
    dunsNumber: code.dunsNumber ?? "",
    entityType: code.entityType,
    otherText: code.entityTypeOther ?? "",
    physicalAddress: physical && addressPart(physical),
    mailingAddress: mailing && addressPart(mailing),
  };
}

/**
 * Returns the details that a form sends.
 *
 * @param kept The stored entity types. They stay when this person may not change them.
 */
export function typedParts(form: CodeForm, kept: Pick<CodeParts, "entityType" | "otherText">): CodeParts {
  const { entityName, shortName, tradeName, status, vatNumber, dunsNumber, entityTypes } = form;
  const { directParentId, domesticParentId, globalParentId, physicalAddress, mailingAddress } = form;
  const types = entityTypes ? { entityType: sumOf(entityTypes), otherText: form.otherText ?? "" } : kept;
  return {
    entityName,
    shortName,
    tradeName,
    status,
    vatNumber,
    directParentId,
    domesticParentId,
    globalParentId,
    dunsNumber,
    entityType: types.entityType,
    otherText: types.otherText,
    physicalAddress: physicalAddress ? addressPart(physicalAddress) : null,
    mailingAddress: mailingAddress ? addressPart(mailingAddress) : null,
  };
}

type Part = keyof CodeParts;

/** Returns the parts in which two codes differ, in the order of the page. */
const differingParts = (one: CodeParts, other: CodeParts): Part[] =>
  (Object.keys(WORDS) as Part[]).filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));

/** Returns a part as a quoted text, or null for an address. */
function shortText(parts: CodeParts, part: Part): string | null {
  const value = parts[part];
  if (part === "entityType") return quoted(entityTypesOf(parts.entityType).map(entityTypeLabel).join(", "));
  return typeof value === "string" ? quoted(value) : null;
}

/** Returns a function that describes one part in a sentence. An address takes one line. */
async function partTexts(db: DbOrTrx, parts: CodeParts): Promise<(part: Part) => string> {
  const addresses: Partial<Record<Part, string>> = {
    physicalAddress: await quotedAddress(db, parts.physicalAddress, "the company's"),
    mailingAddress: await quotedAddress(db, parts.mailingAddress, "the physical address"),
  };
  return (part) => addresses[part] ?? shortText(parts, part) ?? "";
}

/**
 * Describes the changes from one state to the other in words, each with the old and the new value. The status is only named, because it has
 * a sentence of its own.
 */
export async function changesOf(db: DbOrTrx, before: CodeParts, after: CodeParts): Promise<string[]> {
  const changed = differingParts(before, after);
  if (changed.length === 0) return [];
  const [from, to] = [await partTexts(db, before), await partTexts(db, after)];
  return changed.map((part) => (part === "status" ? WORDS[part] : `${WORDS[part]} from ${from(part)} to ${to(part)}`));
}

/** Returns the parts in which the stored code differs from what was typed, each with the stored value. */
export async function differingCode(db: DbOrTrx, stored: CodeParts, typed: CodeParts): Promise<string[]> {
  const textOf = await partTexts(db, stored);
  return differingParts(stored, typed).map((part) => storedNow(WORDS[part], textOf(part)));
}
