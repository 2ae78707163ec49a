/** Who acts through the API: nobody signs in yet. */
export const OPERATOR = "operator:console";
