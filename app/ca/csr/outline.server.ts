import * as asn1js from "asn1js";
import { Attribute, Extensions } from "pkijs";
import { derOf } from "../der.server";
import { OID } from "../oids.server";
import { subjectAltName } from "../x509/extensions.server";
import { type AlternateName } from "../x509/general-names.server";
import { encodeName, type SubjectFields } from "../x509/name.server";

/** The parts of a CertificationRequestInfo (RFC 2986 §4.1) that do not depend on the key. */
export interface CsrOutline {
  /** DER of the Name. */
  subject: Uint8Array;
  /** DER of the attributes, `[0] IMPLICIT SET OF Attribute`, with an extension request if there are alternative names. */
  attributes: Uint8Array;
}

/** Encodes the subject and the alternative names for a CSR that is made elsewhere. Throws a RangeError on text that cannot be encoded. */
export function encodeCsrOutline(subject: SubjectFields, names: readonly AlternateName[]): CsrOutline {
  const extensions = new Extensions({ extensions: [subjectAltName(names)] });
  const request = new Attribute({ type: OID.extensionRequest, values: [extensions.toSchema()] });
  const attributes = new asn1js.Constructed({
    idBlock: { tagClass: 3, tagNumber: 0 },
    value: names.length > 0 ? [request.toSchema()] : [],
  });
  return { subject: encodeName(subject), attributes: derOf(attributes) };
}
