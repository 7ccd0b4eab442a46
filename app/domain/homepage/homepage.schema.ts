import { z } from "zod";
import { requiredText, requiredWord } from "~/lib/fields";
import { readWebAddress } from "~/lib/web-address";
import { ADDRESS_LIMIT, ADDRESS_MESSAGE, TOOLTIP_LIMIT } from "./texts";

const address = requiredWord(ADDRESS_LIMIT).refine(
  (value) => value === "" || value.length > ADDRESS_LIMIT || readWebAddress(value) !== null,
  ADDRESS_MESSAGE,
);

/** The homepage settings (MAN-01), which are the banner of the login screen. */
export const homepageSchema = z.object({
  banner: address,
  link: address,
  tooltip: requiredText(TOOLTIP_LIMIT),
});

export type HomepageSettings = z.infer<typeof homepageSchema>;
