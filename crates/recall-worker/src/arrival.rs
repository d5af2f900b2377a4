//! Turns as they are when a call arrives: those of people who were erased meanwhile are left out, those whose id came before with other
//! words are renamed.

use recall_core::call::Call;
use recall_core::turn::TurnId;
use recall_core::window::Window;

use crate::Ports;

/// In a call of an account, turns of people who were erased after it was accepted are not read; the others are.
pub(crate) fn left_out(mut call: Call, window: &Window) -> Call {
    let number = call.turns.iter().filter(|turn| window.erased.contains(&turn.id)).count();
    if number > 0 {
        call.remarks
            .push(format!("{number} turns were left out: whoever said them was erased after the call was accepted"));
    }
    call.without(&window.erased)
}

/// A turn whose id came before with other words is another turn: it gets an id of its own, so that nothing cites the words of the first.
pub(crate) fn renamed(ports: &Ports, mut call: Call, window: &Window) -> Call {
    for turn in call.turns.iter_mut().filter(|turn| window.rewritten.contains(&turn.id)) {
        let print = ports.keys.current().fingerprint(&["rewritten", turn.content.as_str()]);
        let mark: String = print.chars().take(8).collect();
        let id = TurnId(format!("{}~{mark}", turn.id));
        call.remarks.push(format!("turn {} came before with other words; it is kept as {id}", turn.id));
        turn.id = id;
    }
    call
}
