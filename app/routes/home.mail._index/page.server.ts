import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { dismissMails, listDismissible } from "~/domain/mail/dismissal.service.server";
import { mailQueueList } from "~/domain/mail/mail-queue-list";
import { listMailQueue } from "~/domain/mail/queue-list.service.server";
import { sendAgain } from "~/domain/mail/send-again.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { isPortalError } from "~/lib/errors";
import { chosenIds } from "~/lib/list-params";

const paramsIn = (request: Request) => mailQueueList.read(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-mail");
  return json({ ...(await listMailQueue(paramsIn(request))), mayChange: may(user, "change-mail") });
}

const MEANWHILE = "The chosen messages have been sent or dismissed meanwhile.";

function againText(count: number): string {
  if (count === 0) return MEANWHILE;
  return count === 1 ? "One message is sent again now." : `${count} messages are sent again now.`;
}

function dismissedText(count: number): string {
  if (count === 0) return MEANWHILE;
  return count === 1 ? "One message has been dismissed." : `${count} messages have been dismissed.`;
}

export type ChosenMessages = readonly { id: number; name: string }[];

export interface Answer {
  problem?: string;
  chosen: string[];
  asked?: { intent: string; id: string[] };
  /** The messages that the question is about. */
  messages?: ChosenMessages;
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "change-mail");
  const form = await readForm(request);
  const ids = chosenIds(form.getAll("id"));
  const chosen = ids.map(String);
  const isDismissal = form.get("intent") === "dismiss";
  try {
    if (isDismissal && form.get("confirmed") !== "yes") {
      const messages = await listDismissible(ids);
      return json<Answer>({ asked: { intent: "dismiss", id: chosen }, chosen, messages });
    }
    const text = isDismissal ? dismissedText(await dismissMails(ids, actor)) : againText(await sendAgain(ids, actor));
    return await redirectWithToast(request, mailQueueList.href(paramsIn(request)), { kind: "ok", text });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return json<Answer>({ problem: error.message, chosen }, { status: error.status });
  }
}
