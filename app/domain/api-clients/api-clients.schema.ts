import { z } from "zod";
import { dayError } from "~/lib/date-errors";
import { optionalText, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { readDay } from "~/lib/typed-dates";
import { latestEnd, MOST_NETWORKS, MOST_YEARS, type Overlap, OVERLAPS } from "./forms";
import { isScope } from "./scopes.policy";

const today = () => new Date().toISOString().slice(0, 10);

const PASSED = "This day has passed.";
const TOO_LATE = `A client can be used for ${MOST_YEARS} years at most.`;

/** The last day of use, in UTC, as `yyyy-MM-dd`. */
const lastDay = () =>
  requiredText(20).transform((text, context) => {
    if (text === "") return text;
    const day = readDay(text);
    const problem = day === null ? dayError(text) : day < today() ? PASSED : day > latestEnd() ? TOO_LATE : null;
    if (problem) context.addIssue({ code: "custom", message: problem });
    return day ?? text;
  });

/** Returns whether a text can be an address with or without a prefix. The server reads the network itself (`readNetworks`). */
function isNetwork(text: string): boolean {
  const [address = "", prefix = "", ...more] = text.split("/");
  const isIpv4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && address.split(".").every((part) => Number(part) <= 255);
  if (!isIpv4 && !/^(?=.*:)[\da-f:.]+$/i.test(address)) return false;
  return more.length === 0 && /^\d{0,3}$/.test(prefix) && Number(prefix) <= (isIpv4 ? 32 : 128);
}

export const notNetwork = (text: string): string =>
  `${text} is not a network. Enter one such as 192.0.2.0/24 or 2001:db8::/32, or an address.`;

/** Networks, separated by spaces, commas or line breaks. Without any, the client can be used from everywhere. */
const networks = () =>
  optionalText(1400).transform((text, context) => {
    const all = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
    const wrong = all.find((one) => !isNetwork(one));
    if (wrong !== undefined) context.addIssue({ code: "custom", message: notNetwork(wrong) });
    else if (all.length > MOST_NETWORKS)
      context.addIssue({ code: "custom", message: `A client has ${MOST_NETWORKS} networks at most.` });
    return all;
  });

const NO_SCOPE = "Choose at least one scope.";

const scopes = () =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat())
    .refine((given) => given.length > 0, NO_SCOPE)
    .refine((given) => given.every(isScope), messages.collection);

/** What a client may do, from where and until when. */
export const apiClientSchema = z.object({
  name: requiredText(60),
  scopes: scopes(),
  networks: networks(),
  lastDay: lastDay(),
});

export type ApiClientForm = z.infer<typeof apiClientSchema>;

/** A new secret. `newest` is the id of the newest secret when the form was opened, so that a form sent twice makes one secret. */
export const newSecretSchema = z.object({
  newest: z.string().regex(/^\d{1,9}$/, messages.invalid),
  overlap: z.enum(Object.keys(OVERLAPS) as [Overlap, ...Overlap[]], {
    errorMap: () => ({ message: messages.collection }),
  }),
});
