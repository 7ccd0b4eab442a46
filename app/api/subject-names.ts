import { z } from "zod";

/**
 * The numbers of the kinds of alternative names (API-03). The specification can be read in two ways for URIs. 61 is the reading that
 * distinguishes a URI from an SSID.
 */
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

const WORDS =
  "0 Other, 1 Rfc822 (e-mail), 2 Dns, 3 X400, 4 EdiPartyName, 5 DirectoryName, 6 SSID, 61 URI, 7 Ip, 8 RegisteredId";

export const alternateNames = () =>
  z
    .array(
      z.object({
        type: z
          .number()
          .int()
          .openapi({ enum: Object.values(KEYS), description: WORDS }),
        value: z.string(),
      }),
    )
    .describe("The subject's alternative names");

export const toAlternateNames = (names: readonly { type: string; value: string }[]) =>
  names.map(({ type, value }) => ({ type: KEYS[type] ?? 0, value }));
