import { z } from "zod";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { LIST_TEXTS, MOST_CHOSEN } from "./texts";

/** The rows that were ticked, as a form or a URL has them: none, one, or several. What is no id is left out. */
export const chosenIds = (texts: readonly unknown[]): number[] => [
  ...new Set(texts.map((text) => readNumber(String(text), LARGEST_ID)).filter((id) => id !== null)),
];

const chosen = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => chosenIds([value ?? []].flat()));

/** The list's form: the chosen rows and the button that was pressed. */
export const salesOrderChoiceSchema = z
  .object({ id: chosen, intent: z.enum(["view", "export", "export-all"]) })
  .superRefine(({ id, intent }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", path: ["id"], message });
    if (intent === "view" && id.length !== 1) refuse(LIST_TEXTS.chooseOne);
    if (intent === "export" && id.length === 0) refuse(LIST_TEXTS.chooseSome);
    if (id.length > MOST_CHOSEN) refuse(LIST_TEXTS.tooMany);
  });
