import { z } from "zod";

const names = z.array(z.object({ type: z.string(), value: z.string() }));

export interface SubjectName {
  type: string;
  value: string;
}

/** The alternative names as stored with the order: JSON of { type, value }. Anything else reads as none. */
export function readSubjectNames(json: string): SubjectName[] {
  try {
    return names.catch([]).parse(JSON.parse(json));
  } catch {
    return [];
  }
}

const CAPTIONS: Record<string, string> = {
  dns: "Domain names",
  ip: "IP addresses",
  ssid: "SSID values",
  uri: "URIs",
  rfc822: "RFC822 names",
};

/** Whether people can read a name of this kind; others are hexadecimal DER. */
export const isReadable = ({ type }: SubjectName): boolean => type in CAPTIONS;

/** Names grouped under the captions of CER-06, in their order; kinds without a name are left out. */
export const captionedNames = (list: readonly SubjectName[]): { caption: string; values: string[] }[] =>
  Object.entries(CAPTIONS)
    .map(([type, caption]) => ({
      caption,
      values: list.filter((name) => name.type === type).map((name) => name.value),
    }))
    .filter(({ values }) => values.length > 0);
