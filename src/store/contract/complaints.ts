import { group } from "./suite.ts";
export const complaints = [group("complaints", [])];
