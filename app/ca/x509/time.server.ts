import * as asn1js from "asn1js";
import { Time, TimeType } from "pkijs";

/** Returns the time without the fraction of a second, which certificates and CRLs cannot express. */
export const wholeSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

/** Returns the X.509 Time: UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 §4.1.2.5). */
export function timeOf(date: Date): Time {
  const type = date.getUTCFullYear() >= 2050 ? TimeType.GeneralizedTime : TimeType.UTCTime;
  return new Time({ type, value: wholeSeconds(date) });
}

/** GeneralizedTime to the second (RFC 5280 §4.1.2.5.2). */
export const generalizedTime = (date: Date): asn1js.GeneralizedTime =>
  new asn1js.GeneralizedTime({ valueDate: wholeSeconds(date) });
