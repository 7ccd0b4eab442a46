import { lazyValidator } from "~/lib/lazy-validator";

export const forgotPasswordValidator = lazyValidator(() =>
  import("./recovery.schema").then(({ forgotPasswordSchema }) => forgotPasswordSchema),
);
export const resetCodeValidator = (asksAnswer: boolean) =>
  lazyValidator(() => import("./recovery.schema").then(({ resetCodeSchema }) => resetCodeSchema(asksAnswer)));
export const changePasswordValidator = (minLength: number, asksQuestion: boolean) =>
  lazyValidator(() =>
    import("./recovery.schema").then(({ changePasswordSchema }) => changePasswordSchema(minLength, asksQuestion)),
  );
