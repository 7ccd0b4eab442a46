import { json } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { sendTest, sendWebhookAgain } from "~/domain/webhooks/deliveries.service.server";
import {
  changeWebhook,
  createWebhook,
  pauseWebhook,
  removeWebhook,
  renewWebhookSecret,
} from "~/domain/webhooks/endpoints.service.server";
import { deliveryList, ENDPOINT_FORM } from "~/domain/webhooks/events";
import { requireOwnWebhooks } from "~/domain/webhooks/managing.server";
import { webhookValidator } from "~/domain/webhooks/validators";
import {
  getDeliveryFor,
  getWebhookFor,
  loadDeliveries,
  toDeliveryView,
  type WebhookDeliveryView,
} from "~/domain/webhooks/webhook-views.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp, requireStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";

const NO_STORE = { headers: { "Cache-Control": "no-store" } };

/** Opens the form of a new webhook. The user proves first who they are. Throws a PortalError (403) for an acting administrator. */
export async function newWebhookPage(request: Request, user: SessionUser) {
  requireOwnWebhooks(user);
  await requireStepUp(request, user, "webhook");
  return null;
}

/** Makes a webhook. The answer shows its secret; no other answer ever does. */
export async function makeWebhook(request: Request, user: SessionUser): Promise<Response> {
  const fields = await readForm(request);
  await requireFormStepUp(request, user, { fields, formId: ENDPOINT_FORM }, FORM_TASKS.makeWebhook);
  const form = await webhookValidator.validate(fields);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    return json({ shown: await createWebhook(user, form.data) }, NO_STORE);
  } catch (error) {
    return refused(error, form.submittedData, ENDPOINT_FORM);
  }
}

/** Returns the data of a webhook's page. Throws a PortalError (404) when there is no such webhook. */
export async function webhookPage(request: Request, user: SessionUser, id: string | undefined) {
  const webhook = await getWebhookFor(user, readId(id));
  const deliveries = await loadDeliveries(webhook.id, deliveryList.read(new URL(request.url).searchParams));
  return json({ webhook, deliveries, mayChange: user.impersonator === null });
}

/** Returns the data of the page of a delivery. Throws a PortalError (404) when there is none. */
export const deliveryPage = async (user: SessionUser, id: string | undefined, delivery: string | undefined) =>
  json({ ...(await getDeliveryFor(user, readId(id), readId(delivery))), mayChange: user.impersonator === null });

/** Returns what became of a message that was sent by hand. */
function sentText({ state, lastError }: WebhookDeliveryView): { kind: "ok" | "warn"; text: string } {
  if (state === "Delivered") return { kind: "ok", text: "The receiver has accepted the message." };
  if (lastError !== null) return { kind: "warn", text: `The message was not delivered. ${lastError}` };
  return { kind: "ok", text: "The message is being sent. Load this page again to see the answer." };
}

/** Does what needs no form, and returns to this page with its outcome. */
async function doAndReturn(request: Request, to: string, work: () => Promise<ReturnType<typeof sentText>>) {
  try {
    return await redirectWithToast(request, to, await work());
  } catch (error) {
    if (isPortalError(error) && [422, 429].includes(error.status))
      return redirectWithToast(request, to, { kind: "warn", text: error.message });
    return refused(error, {});
  }
}

/** Sends a delivery again. */
export async function sendAgain(
  request: Request,
  user: SessionUser,
  params: { id?: string; delivery?: string },
): Promise<Response> {
  await readForm(request);
  const [endpointId, id] = [readId(params.id), readId(params.delivery)];
  return doAndReturn(request, accountPaths.webhookDelivery(endpointId, id), async () =>
    sentText(toDeliveryView(await sendWebhookAgain(user, { endpointId, id }))),
  );
}

/** The intent of the question before a webhook is removed. */
const REMOVAL = "remove";

const ok = (text: string) => ({ kind: "ok" as const, text });

async function save(request: Request, user: SessionUser, id: number, sent: FormData): Promise<Response> {
  const { url } = await getWebhookFor(user, id);
  const task = () => FORM_TASKS.changeWebhook(new URL(url).host);
  await requireFormStepUp(request, user, { fields: sent, formId: ENDPOINT_FORM }, task);
  const form = await webhookValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await changeWebhook(user, id, form.data);
    return await redirectWithToast(request, accountPaths.webhook(id), ok("The webhook was saved."));
  } catch (error) {
    return refused(error, form.submittedData, ENDPOINT_FORM);
  }
}

async function makeSecret(request: Request, user: SessionUser, id: number, sent: FormData): Promise<Response> {
  const { url } = await getWebhookFor(user, id);
  await requireFormStepUp(request, user, { fields: sent }, () => FORM_TASKS.makeWebhookSecret(new URL(url).host));
  const seen = sent.get("seen");
  try {
    return json({ shown: await renewWebhookSecret(user, id, typeof seen === "string" ? seen : "") }, NO_STORE);
  } catch (error) {
    return refused(error, {}, ENDPOINT_FORM);
  }
}

/** Changes, pauses, resumes, tests or removes a webhook, or gives it a new secret, by the button that was pressed. */
export async function changeOne(request: Request, user: SessionUser, givenId: string | undefined): Promise<Response> {
  const sent = await readForm(request);
  const id = readId(givenId);
  const page = accountPaths.webhook(id);
  const intent = sent.get("intent");
  if (intent === "change") return save(request, user, id, sent);
  if (intent === "secret") return makeSecret(request, user, id, sent);
  if (intent === "test")
    return doAndReturn(request, page, async () => sentText(toDeliveryView(await sendTest(user, id))));
  if (intent === "pause" || intent === "resume")
    return doAndReturn(request, page, async () => {
      await pauseWebhook(user, id, intent === "pause");
      return ok(intent === "pause" ? "The webhook is paused." : "The webhook goes on.");
    });
  await getWebhookFor(user, id);
  if (sent.get("confirmed") !== "yes") return json({ asked: { intent: REMOVAL } });
  return doAndReturn(request, accountPaths.webhooks, async () => {
    await removeWebhook(user, id);
    return ok("The webhook was removed.");
  });
}
