"""SDF and URDF files of Gazebo: elements, poses, rigid body, plug-ins; families read the rest."""
