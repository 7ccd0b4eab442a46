import { type AsnType } from "asn1js";
import { type Attribute, type Extension, Extensions } from "pkijs";
import { membersOf, parseDer } from "../der.server";
import { OID } from "../oids.server";
import { type AlternateName, readGeneralName } from "../x509/general-names.server";
import { readingPart, unreadable } from "./unreadable.server";

/** pkijs takes 0.15 ms for each name. */
const MAX_NAMES = 1000;

const REQUESTS: readonly string[] = [OID.extensionRequest, OID.microsoftExtensionRequest];

/**
 * Returns the subject alternative names that the attributes of a CSR request (RFC 2986 §4.1, RFC 2985 §5.4.2). Throws an UnreadableCsr,
 * also when an attribute, its value or an extension occurs twice: software that reads the first one and software that reads the last one
 * would certify different names.
 */
export function readRequestedNames(attributes: readonly Attribute[]): AlternateName[] {
  requireOnce(
    "attributes",
    attributes.map(({ type }) => type),
  );
  const extensions = attributes.filter(({ type }) => REQUESTS.includes(type)).flatMap(requestedExtensions);
  requireOnce(
    "requested extensions",
    extensions.map(({ extnID }) => extnID),
  );
  const altName = extensions.find(({ extnID }) => extnID === OID.subjectAltName);
  if (!altName) return [];
  return readingPart("subject alternative names", () => {
    const names = membersOf(parseDer(altName.extnValue.valueBlock.valueHexView));
    if (names.length > MAX_NAMES)
      throw unreadable("too-many", "subject alternative names", `there are more than ${MAX_NAMES}`, FEWER);
    return names.map(readGeneralName);
  });
}

const FEWER = "Create the CSR again with fewer.";

function requestedExtensions({ values }: Attribute): Extension[] {
  return readingPart("requested extensions", () => {
    // pkijs leaves the values of an empty SET undefined and refuses an empty SEQUENCE of extensions.
    const [schema, ...more] = (values as AsnType[] | undefined) ?? [];
    if (more.length > 0) throw repeated("requested extensions");
    return schema && membersOf(schema).length > 0 ? new Extensions({ schema }).extensions : [];
  });
}

function requireOnce(part: string, identifiers: readonly string[]): void {
  if (new Set(identifiers).size < identifiers.length) throw repeated(part);
}

const repeated = (part: string) =>
  unreadable("repeated", part, "one of them is stated more than once", "Create the CSR again and state each once.");
