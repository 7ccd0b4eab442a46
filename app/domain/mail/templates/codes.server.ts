import { formatDate } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

export interface EntityChangedMail {
  /** The first name of the person who follows the entity. */
  name: string;
  /** Full code and name of the entity. */
  entity: string;
  company: string;
  /** What changed, as a sentence. */
  what: string;
  certificates: readonly { commonName: string; serialNumber: string; sha256: string; expiryDate: string }[];
  /** The page of the entity in the register. */
  url: string;
  /** Where the person stops these messages. */
  stopUrl: string;
}

/** Tells a person who follows an entity of the register that its certificates have changed. */
export const entityChangedMail = (data: EntityChangedMail): ComposedMail =>
  composeMail({
    subject: "Certificates of an entity that you follow have changed",
    greeting: data.name,
    paragraphs: [data.what],
    facts: [
      ["Entity", data.entity],
      ["Company", data.company],
      ...data.certificates.flatMap(({ commonName, serialNumber, sha256, expiryDate }): [string, string][] => [
        ["Common name", commonName],
        ["Serial number", serialNumber],
        ["SHA-256 fingerprint", sha256],
        ["Valid until", formatDate(expiryDate)],
      ]),
    ],
    next: "Open the page of the entity to see which certificates it publishes now, and to download them.",
    action: { label: "Open the entity", url: data.url },
    stop: {
      reason: "You get this message because you asked to be told of changes.",
      label: "Stop the messages about this entity",
      url: data.stopUrl,
    },
  });

export interface CodeEndedMail {
  /** The first name of whoever gets the messages about the code. */
  name: string;
  /** Full code and name of the entity. */
  entity: string;
  /** The status of the code: Cancelled or Expired. */
  status: string;
  oftpId: string;
  certificates: readonly { id: number; commonName: string; expiryDate: string }[];
  /** The page of the code. */
  url: string;
}

/** Tells the owner of a code that has ended which certificates still carry its OFTP ID. */
export const codeEndedMail = (data: CodeEndedMail): ComposedMail =>
  composeMail({
    subject: `An ID code of yours is ${data.status.toLowerCase()}, and certificates carry it`,
    greeting: data.name,
    paragraphs: [
      `The code below is ${data.status.toLowerCase()} now. The certificates below carry its OFTP ID and stay valid: nothing has been revoked.`,
    ],
    facts: [
      ["Entity", data.entity],
      ["OFTP ID", data.oftpId],
      ...data.certificates.map(({ id, commonName, expiryDate }): [string, string] => [
        `Certificate ${id}`,
        `${commonName}, valid until ${formatDate(expiryDate)}`,
      ]),
    ],
    next: "Please revoke the certificates that are not used any more, and do not renew them with this OFTP ID.",
    action: { label: "Open the code", url: data.url },
  });
