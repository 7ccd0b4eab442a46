import { describeCertificate } from "~/ca/certificate/describe.server";

/** One property of a certificate beside the previous one. */
export interface ComparedProperty {
  label: string;
  now: string;
  /** The text in the previous certificate, if it differs. */
  before: string | null;
}

const PROPERTIES = [
  ["Subject", ({ subjectName }) => subjectName],
  ["Issuer", ({ issuerName }) => issuerName],
  ["Key usage", ({ keyUsage }) => keyUsage.join(", ")],
  ["Extended key usage", ({ enhancedKeyUsage }) => enhancedKeyUsage.join(", ")],
  ["Names", ({ subjectAlternateName }) => subjectAlternateName.map(({ value }) => value).join(", ")],
] as const satisfies readonly [string, (one: ReturnType<typeof describeCertificate>) => string][];

/** By which properties software recognises the successor of a certificate (automatic certificate exchange of OFTP2). */
const RECOGNISED_BY: readonly string[] = ["Subject", "Issuer", "Key usage", "Extended key usage"];

/** Returns the properties that matter to a partner, each beside that of the previous certificate. */
export function compareCertificates(
  der: Uint8Array,
  previous: Uint8Array,
): { rows: ComparedProperty[]; isRecognised: boolean } {
  const [now, before] = [describeCertificate(der), describeCertificate(previous)];
  const rows = PROPERTIES.map(([label, read]) => {
    const [text, old] = [read(now), read(before)];
    return { label, now: text, before: text === old ? null : old };
  });
  return { rows, isRecognised: rows.every((row) => row.before === null || !RECOGNISED_BY.includes(row.label)) };
}
