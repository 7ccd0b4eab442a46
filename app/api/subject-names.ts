import { z } from "zod";

/** The numeric keys of B §3; of two readings of URI the one that tells it from an SSID (decisions §1). */
const KEYS: Readonly<Record<string, number>> = {
  other: 0,
  rfc822: 1,
  dns: 2,
  x400: 3,
  ediParty: 4,
  directory: 5,
  ssid: 6,
  uri: 61,
  ip: 7,
  registeredId: 8,
};

export const alternateNames = z
  .array(z.object({ type: z.number().int(), value: z.string() }))
  .describe(
    "Types: Other 0, Rfc822 1, Dns 2, X400 3, EdiPartyName 4, DirectoryName 5, SSID 6, URI 61, Ip 7, RegisteredId 8",
  );

export const toAlternateNames = (names: readonly { type: string; value: string }[]) =>
  names.map(({ type, value }) => ({ type: KEYS[type] ?? 0, value }));
