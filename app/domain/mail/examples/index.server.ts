import { getEnv } from "~/lib/env.server";
import { serverPaths } from "~/lib/server-paths.server";
import { type ComposedMail, guardedMail, type LaidOutMail } from "../compose.server";
import { type MailKind } from "../kinds";
import * as templates from "../templates/index.server";
import { accountExamples } from "./accounts.server";
import { certificateExamples } from "./certificates.server";
import { codeExamples } from "./codes.server";
import { companyExamples } from "./companies.server";
import { domainExamples } from "./domains.server";
import { type Examples, type TemplateName, TOKEN } from "./example.server";
import { orderExamples } from "./orders.server";
import { partnerExamples } from "./partners.server";
import { standingExamples } from "./standing.server";

/** Returns the example data of all templates. The links lead to this portal, but not to particular records. */
const examples = (): Examples => ({
  ...accountExamples(),
  ...companyExamples(),
  ...domainExamples(),
  ...certificateExamples(),
  ...orderExamples(),
  ...standingExamples(),
  ...partnerExamples(),
  ...codeExamples(),
});

export interface MailExample {
  kind: MailKind;
  title: string;
  mail: LaidOutMail;
}

/** Returns the message as this reader gets it. */
function laidOut(mail: ComposedMail, reader: "contact" | "unconfirmed" | undefined): LaidOutMail {
  const stopUrl = getEnv().publicUrl + serverPaths.noMoreMessages(TOKEN);
  const { subject, text, html } = reader ? guardedMail(mail, reader === "contact" ? stopUrl : undefined) : mail;
  return { subject, text, html };
}

/** Returns every template with its example data. */
export const mailExamples = (): MailExample[] =>
  Object.entries(examples()).flatMap(([name, ofTemplate]) =>
    ofTemplate.map(({ kind, title, reader, data }) => {
      const compose = templates[name as TemplateName] as (data: unknown) => ComposedMail;
      return { kind, title, mail: laidOut(compose(data), reader) };
    }),
  );
