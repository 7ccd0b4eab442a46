import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import {
  answerAuthorisation,
  findAuthorisation,
  type ContactAnswer,
} from "~/domain/certificates/queue/authorisation.service.server";
import { OWN_ORDER_CODE } from "~/domain/certificates/queue/four-eyes.server";
import { clientOf } from "~/http/client.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { noteRefusal } from "~/http/noted-refusals.server";
import { isPortalError } from "~/lib/errors";

export type Intent = "authorise" | "refuse";

const ANSWERS: Record<Intent, ContactAnswer> = { authorise: "authorised", refuse: "refused" };

/** Set for the loader that runs after the POST of a document. The answer has used up the link, and it would count as a dead one. */
const IS_ANSWERED = "orderIsAnswered";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  if (context[IS_ANSWERED]) return json({ authorisation: null });
  const authorisation = await findAuthorisation(params.token ?? "", clientOf(request));
  return json({ authorisation }, { status: authorisation ? 200 : 404 });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  const intent = intentOf<Intent | "none">(form, ["none", "authorise", "refuse"]);
  if (intent === "none") return json({ asked: null, answered: null });
  if (form.get("confirmed") !== "yes") return json({ asked: intent, answered: null });
  const isStored = await answer(request, params.token ?? "", ANSWERS[intent]);
  if (isStored === "barred") return json({ asked: null, answered: null }, { status: 422 });
  context[IS_ANSWERED] = true;
  return json({ asked: null, answered: isStored ? ANSWERS[intent] : null }, { status: isStored ? 200 : 404 });
}

/** Stores the answer, or notes why it is refused. The page then says so itself. */
async function answer(request: Request, token: string, given: ContactAnswer) {
  try {
    return await answerAuthorisation(token, given, clientOf(request));
  } catch (error) {
    if (!isPortalError(error) || error.code !== OWN_ORDER_CODE) throw error;
    noteRefusal(request, error);
    return "barred";
  }
}
