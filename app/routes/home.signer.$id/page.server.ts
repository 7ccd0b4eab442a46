import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import {
  acceptOthersPasskey,
  requireWaitingPasskey,
  startAcceptance,
} from "~/domain/authorities/signer-people.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerWithOptions, asksForOptions, readFactorAnswer } from "~/http/passkeys.server";
import { refused } from "~/http/responses.server";
import { staffPaths } from "~/lib/staff-paths";
import { FORM } from "./form";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const { own, ...passkey } = await requireWaitingPasskey(user, params.id ?? "");
  return json({ ...passkey, kinds: [...new Set(own.map(({ kind }) => kind))] });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const id = params.id ?? "";
  const sent = await readForm(request);
  if (asksForOptions(sent)) return answerWithOptions(() => startAcceptance(user, id), FORM);
  const read = await readFactorAnswer(sent);
  if ("response" in read) return read.response;
  try {
    await acceptOthersPasskey(user, id, read.answer);
  } catch (error) {
    return refused(error, {}, FORM);
  }
  return redirectWithToast(request, staffPaths.signer, { kind: "ok", text: "The signer accepts the passkey now." });
}
