import { z } from "zod";
import { QUERY_LIMIT, QUERY_PARAMS, saveQueryParams } from "~/domain/frame/framed-form.service.server";
import { homepageSchema } from "~/domain/homepage/homepage.schema";
import { findBanner, saveBanner } from "~/domain/homepage/homepage.service.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { log } from "~/lib/log.server";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check } from "../check";
import { id, nothing, textsBy } from "../wire";

const homepage = z.object(textsBy(homepageSchema.shape)).strict();

const LEVELS = { Info: "info", Warning: "warn", Error: "error" } as const;

export const configurationCalls = group("Configuration", [
  call({
    who: "anyone",
    path: "Configuration/GetVatRate",
    method: "GET",
    summary: "The VAT rate of the United Kingdom, as a fraction",
    failure: "PIA0303E",
    input: nothing,
    output: z.number(),
    handle: () => Promise.resolve(getConfig().vatRate),
  }),
  call({
    who: "anyone",
    path: "Configuration/GetHomePageConfig",
    method: "GET",
    summary: "The banner of the login screen; empty texts when there is none",
    failure: "IMP0C01E",
    input: nothing,
    output: z.object({ banner: z.string(), link: z.string(), tooltip: z.string() }),
    handle: async () => (await findBanner()) ?? { banner: "", link: "", tooltip: "" },
  }),
  call({
    path: "Configuration/SaveHomePageConfig",
    method: "POST",
    who: "change-settings",
    needsProof: true,
    summary: "Sets the banner of the login screen",
    failure: "IMP0C01E",
    input: homepage,
    output: z.boolean(),
    handle: async (input, { user }) => {
      await saveBanner(check(homepageSchema, input), user.actor);
      return true;
    },
  }),
  call({
    path: "Configuration/SaveConfig",
    method: "POST",
    who: "user",
    summary: "Saves the parameters of a framed form as the caller's configuration entry",
    input: z
      .object({
        name: z.literal(QUERY_PARAMS),
        value: z.string().openapi({ maxLength: QUERY_LIMIT }),
        userId: id().optional().describe("Must be the caller's own when sent"),
      })
      .strict(),
    output: z.boolean(),
    handle: async ({ value, userId }, { user }) => {
      if (userId !== undefined && userId !== user.id)
        throw new PortalError("You can save only your own entry.", { code: "account.right", status: 403 });
      await saveQueryParams(user.id, value);
      return true;
    },
  }),
  call({
    path: "Log/Log",
    method: "POST",
    who: "user",
    summary: "Writes a line of the caller's program into the portal's log",
    isBeforeDuties: true,
    input: z
      .object({
        source: z.string().max(200, messages.outOfRange),
        severity: z.enum(["Info", "Warning", "Error"]),
        message: z.string().max(2000, messages.outOfRange),
      })
      .strict(),
    output: z.boolean(),
    handle: ({ source, severity, message }, { user }) => {
      log()[LEVELS[severity]]({ client: { source, userId: user.id, message } }, "a client's message");
      return Promise.resolve(true);
    },
  }),
]);
