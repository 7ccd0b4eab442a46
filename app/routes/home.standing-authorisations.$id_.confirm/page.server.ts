import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { CONFIRM_STANDING_FORM } from "~/domain/certificates/standing/standing";
import {
  getStandingGrantPage,
  grantStandingToSigner,
  startStandingGrant,
} from "~/domain/certificates/standing/standing-grants.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerWithOptions, asksForOptions, readFactorAnswer } from "~/http/passkeys.server";
import { refused } from "~/http/responses.server";
import { readId } from "~/lib/ids";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  return json(await getStandingGrantPage(user, readId(params.id)));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const id = readId(params.id);
  const sent = await readForm(request);
  const fingerprint = sent.get("fingerprint");
  const shown = { id, fingerprint: typeof fingerprint === "string" ? fingerprint : "" };
  if (asksForOptions(sent)) return answerWithOptions(() => startStandingGrant(user, shown), CONFIRM_STANDING_FORM);
  const read = await readFactorAnswer(sent);
  if ("response" in read) return read.response;
  try {
    await grantStandingToSigner(user, shown, read.answer);
    const text = `Standing authorisation ${id} is confirmed to the signer.`;
    return await redirectWithToast(request, staffPaths.standingAuthorisation(id), { kind: "ok", text });
  } catch (error) {
    return refused(error, {}, CONFIRM_STANDING_FORM);
  }
}
