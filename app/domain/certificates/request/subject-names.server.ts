import { z } from "zod";
import { shownName } from "~/ca/names/international.server";

const names = z.array(z.object({ type: z.string(), value: z.string() }));

export interface SubjectName {
  type: string;
  value: string;
}

/** Reads the alternative names that are stored with an order as JSON of { type, value }. Returns an empty array for anything else. */
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

/** Returns whether people can read a name of this kind. Names of other kinds are hexadecimal DER. */
export const isReadable = ({ type }: SubjectName): boolean => type in CAPTIONS;

/** Groups the names under the captions of CER-06, in their order, for people. Captions without a name are left out. */
export const captionedNames = (list: readonly SubjectName[]): { caption: string; values: string[] }[] =>
  Object.entries(CAPTIONS)
    .map(([type, caption]) => ({
      caption,
      values: list.filter((name) => name.type === type).map((name) => shownName(name.value)),
    }))
    .filter(({ values }) => values.length > 0);
