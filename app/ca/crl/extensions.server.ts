import * as asn1js from "asn1js";
import { type Extension } from "pkijs";
import { OID } from "../oids.server";
import { extension } from "../x509/extensions.server";
import { generalizedTime } from "../x509/time.server";

const integer = (value: bigint | number): asn1js.Integer => asn1js.Integer.fromBigInt(BigInt(value));

/** cRLNumber (RFC 5280 §5.2.3). */
export const crlNumber = (number: bigint | number): Extension => extension(OID.cRLNumber, integer(number));

/** Critical deltaCRLIndicator with the number of the base CRL (RFC 5280 §5.2.4). */
export const deltaCrlIndicator = (baseNumber: bigint | number): Extension =>
  extension(OID.deltaCRLIndicator, integer(baseNumber), true);

/** reasonCode of a revoked entry (RFC 5280 §5.3.1). */
export const reasonCode = (value: number): Extension => extension(OID.reasonCode, new asn1js.Enumerated({ value }));

/** invalidityDate of a revoked entry: when the key became suspect (RFC 5280 §5.3.2). */
export const invalidityDate = (date: Date): Extension => extension(OID.invalidityDate, generalizedTime(date));
