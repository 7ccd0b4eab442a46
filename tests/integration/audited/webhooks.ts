import { accountPaths } from "~/lib/account-paths";
import { type Deed, deed, type Submission } from "../../support/audited";
import { createUser } from "../../support/factories";
import { signedInAs } from "../../support/visitor";
import { storeDelivery, storeWebhook, webhookFields, webhookRow } from "../../support/webhooks";

/** An address on this machine, to which the portal does not connect. */
const REFUSED = { url: "https://127.0.0.1/hook" };

/** Returns a form on the page of a webhook. */
const pressing =
  (fields: (id: number) => Record<string, string> | Promise<Record<string, string>>, row: { pausedAt?: Date } = {}) =>
  async (): Promise<Submission> => {
    const owner = await createUser();
    const id = await storeWebhook(owner, { ...REFUSED, ...row });
    const place = { path: accountPaths.webhook(id), params: { id: String(id) } };
    return { visitor: await signedInAs(owner), fields: await fields(id), ...place };
  };

/** Actions about webhooks, by route. */
export const WEBHOOKS: Record<string, readonly Deed[]> = {
  "home.company_.webhooks.new": [
    deed("making a webhook", ["webhook.created"], async () => ({
      visitor: await signedInAs(await createUser()),
      fields: webhookFields(),
    })),
  ],
  "home.company_.webhooks.$id": [
    deed(
      "changing a webhook",
      ["webhook.changed"],
      pressing(() => ({ ...webhookFields(), intent: "change" })),
    ),
    deed(
      "making a new secret of a webhook",
      ["webhook.secret-made"],
      pressing(async (id) => ({ intent: "secret", seen: (await webhookRow(id))?.secretMadeAt ?? "" })),
    ),
    deed(
      "sending a test event",
      ["webhook.test-sent"],
      pressing(() => ({ intent: "test" })),
    ),
    deed(
      "pausing a webhook",
      ["webhook.paused"],
      pressing(() => ({ intent: "pause" })),
    ),
    deed(
      "resuming a webhook",
      ["webhook.resumed"],
      pressing(() => ({ intent: "resume" }), { pausedAt: new Date() }),
    ),
    deed(
      "removing a webhook",
      ["webhook.removed"],
      pressing(() => ({ intent: "remove", confirmed: "yes" })),
    ),
  ],
  "home.company_.webhooks.$id_.deliveries.$delivery": [
    deed("sending a message of a webhook again", ["webhook.sent-again"], async () => {
      const owner = await createUser();
      const id = await storeWebhook(owner, REFUSED);
      const delivery = await storeDelivery(id);
      const params = { id: String(id), delivery: String(delivery) };
      return {
        visitor: await signedInAs(owner),
        fields: { intent: "send-again" },
        path: accountPaths.webhookDelivery(id, delivery),
        params,
      };
    }),
  ],
};
