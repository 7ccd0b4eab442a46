import { CertificationRequest } from "pkijs";
import { malformed, membersOf, pairOf, parseDer, unsigned } from "../der.server";
import { failure } from "./input.server";
import { readingPart, UnreadableCsr } from "./unreadable.server";

/**
 * Parses the CertificationRequest (RFC 2986 §4.2). pkijs ignores additional members and reads a long version as 0, so both are checked
 * here. Throws an UnreadableCsr.
 */
export function parseRequest(der: Uint8Array): CertificationRequest {
  const schema = readingPart("encoding", () => parseDer(der));
  const members = readingPart("structure", () => membersOf(schema));
  if (members.length !== 3) throw new UnreadableCsr(failure("not-a-csr"));
  return readingPart("structure", () => {
    const [version, , key, attributes, ...rest] = membersOf(members[0]);
    if (unsigned(version) !== 0n) throw malformed("a version that is not 1");
    if (rest.length > 0) throw malformed("more members than subject, key and attributes");
    if (attributes && attributes.idBlock.tagClass !== 3) throw malformed("attributes without their tag");
    const [keyAlgorithm] = pairOf(key);
    [keyAlgorithm, members[1]].forEach(pairOf);
    return new CertificationRequest({ schema });
  });
}
