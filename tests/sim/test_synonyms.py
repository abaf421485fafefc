"""Common words of the field lead to the columns."""

import pytest

from pyrfly import Sim


@pytest.mark.parametrize(
    ("word", "column"),
    [
        ("position", "pos"),
        ("altitude", "pos"),
        ("velocity", "vel"),
        ("acceleration", "accel"),
        ("quaternion", "att"),
        ("omega", "rate"),
        ("roll", "euler"),
        ("attitude_deg", "euler"),
    ],
)
def test_a_common_word_leads_to_the_column(word: str, column: str) -> None:
    with pytest.raises(AttributeError, match=f"{word}: expected .*, such as {column}$"):
        getattr(Sim("x450"), word)


def test_columns_of_other_vehicles_are_not_suggested() -> None:
    with pytest.raises(AttributeError) as error:
        _ = Sim("x450").wheel_speeds
    assert "wheel_speed," not in f"{error.value},".replace("wheel_speeds", "")
