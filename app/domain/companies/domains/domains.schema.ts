import { z } from "zod";
import { requiredNote, requiredWord } from "~/lib/fields";
import { END_REASON_LIMIT } from "./challenge";

/** The longest mailbox (RFC 5321 §4.5.3.1): 64 octets, the sign and 255 octets. */
const LONGEST_NAME = 320;

/** The domain or mailbox to add. `readClaim` has the rules about its form. */
export const addDomainSchema = z.object({ domain: requiredWord(LONGEST_NAME) });

/** The address that gets the link. */
export const domainMailSchema = z.object({ address: requiredWord(LONGEST_NAME) });

/** Why staff end a confirmation. */
export const endDomainSchema = z.object({ reason: requiredNote(END_REASON_LIMIT) });
