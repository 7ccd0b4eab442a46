import { lazyValidator } from "~/lib/lazy-validator";

const schemas = () => import("./confirm.schema");

export const confirmByPasswordValidator = lazyValidator(() => schemas().then((found) => found.confirmByPasswordSchema));
export const confirmByCodeValidator = lazyValidator(() => schemas().then((found) => found.confirmByCodeSchema));
