import { type SessionUser } from "~/domain/accounts/session-user";
import { addOrderComment, releaseOrder, takeOrder } from "~/domain/certificates/queue/order-work.service.server";
import { COMMENT_FORM, COMMENTS_ANCHOR, RELEASE, TAKE, WORK_ANCHOR } from "~/domain/certificates/queue/queue-fields";
import { orderCommentValidator } from "~/domain/certificates/validators";
import { redirectWithToast } from "~/http/flash.server";
import { invalid, refused } from "~/http/responses.server";
import { PortalError } from "~/lib/errors";
import { LARGEST_ID, readNumber } from "~/lib/list-params";

interface Work {
  id: number;
  submitted: FormData;
  user: SessionUser;
  /** The address of the order's page. */
  to: string;
}

function idIn(submitted: FormData): number | null {
  const seen = submitted.get("seen");
  return typeof seen === "string" ? readNumber(seen, LARGEST_ID) : null;
}

async function take(request: Request, { id, submitted, user, to }: Work): Promise<Response> {
  try {
    await takeOrder(user, id, idIn(submitted));
  } catch (error) {
    if (!(error instanceof PortalError) || error.code !== "certificate.taken") throw error;
    return redirectWithToast(request, to, { kind: "bad", text: error.message, at: WORK_ANCHOR });
  }
  return redirectWithToast(request, to, { kind: "ok", text: "You work on this order now.", at: WORK_ANCHOR });
}

async function release(request: Request, { id, user, to }: Work): Promise<Response> {
  await releaseOrder(user, id);
  return redirectWithToast(request, to, { kind: "ok", text: "The order was released.", at: WORK_ANCHOR });
}

async function comment(request: Request, { id, submitted, user, to }: Work): Promise<Response> {
  const form = await orderCommentValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await addOrderComment(user, id, { text: form.data.comment, seen: idIn(submitted) ?? 0 });
  } catch (error) {
    return refused(error, form.submittedData, COMMENT_FORM);
  }
  return redirectWithToast(request, to, { kind: "ok", text: "The comment was added.", at: COMMENTS_ANCHOR });
}

/** What the buttons of the cards about the work on an order do, by their intent. */
export const WORK: ReadonlyMap<FormDataEntryValue | null, (request: Request, work: Work) => Promise<Response>> =
  new Map([
    [TAKE, take],
    [RELEASE, release],
    [COMMENT_FORM, comment],
  ]);
